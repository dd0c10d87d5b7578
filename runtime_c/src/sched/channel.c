// Channels: queues between processes, bounded or not.
//
// Invariants: senders and receivers never both wait (one process's own SELECT excepted); a receiver waits only on an
//   empty buffer, a sender only on a full one; nobody waits on a closed channel. Each stored value is owned by the
//   channel, independent of its sender. 0 <= length <= min(room, capacity).
// Threads: every field is guarded by lock (rank CHANNEL). No process is made ready while it is held.
// Waking: a value for a waiting receiver goes straight into its rt_waiter, a waiting sender's value moves into the
//   buffer when a place is free; so whoever is woken has what it waited for and does not compete again.
// Rejected: a lock-free ring (SELECT needs several channels locked in address order; a lock costs nothing while one
//   worker is awake); allocating the whole buffer at once (a program may make many channels and use few places).
#include "nxd/channel.h"

#include "nxd/error.h"
#include "nxd/nxd_abi.gen.h"
#include "nxd/object.h"
#include "nxd/option.h"
#include "nxd/value.h"

enum { ROOM_FIRST = 8 };

NXD_OWNED nxd_channel *nxd_channel_new(int64_t type, int64_t capacity) {
    nxd_channel *channel = (nxd_channel *)rt_object_new(sizeof *channel, type);
    channel->head.count = -1;
    channel->lock.word = 0;
    channel->closed = false;
    channel->form = (uint8_t)rt_type(rt_type(type)->element)->form;
    channel->capacity = capacity < 0 ? INT64_MAX : capacity;
    channel->length = 0;
    channel->first = 0;
    channel->room = 0;
    channel->buffer = NULL;
    channel->senders = (rt_queue){NULL, NULL};
    channel->receivers = (rt_queue){NULL, NULL};
    return channel;
}

nxd_rw nxd_channel_make(int64_t type, int64_t capacity) {
    if (capacity < 0)
        return rt_fail(rt_error_format(NXD_E2001, "no channel with room for %lld values", (long long)capacity));
    return rt_ok(rt_ptr_word(nxd_channel_new(type, capacity)));
}

void rt_hook_channel_destroy(nxd_channel *channel, rt_pending *pending) {
    rt_assert(channel->senders.first == NULL && channel->receivers.first == NULL);
    if (rt_form_is_counted(channel->form)) {
        for (int64_t index = channel->first, left = channel->length; left > 0; left--) {
            rt_pending_drop(pending, channel->buffer[index], channel->form);
            if (++index == channel->room)
                index = 0;
        }
    }
    if (channel->buffer != NULL)
        rt_free(channel->buffer, channel->room * (int64_t)sizeof(nxd_word));
    rt_object_free(&channel->head, sizeof *channel);
}

// ---- attempts on a locked channel ----------------------------------------------------------------------------------

static RT_NOINLINE void channel_grow(nxd_channel *channel) {
    int64_t room = channel->room == 0 ? ROOM_FIRST : 2 * channel->room;
    room = rt_min(room, channel->capacity);
    nxd_word *buffer = rt_alloc(room * (int64_t)sizeof(nxd_word));
    for (int64_t index = 0; index < channel->length; index++) {
        int64_t from = channel->first + index;
        buffer[index] = channel->buffer[from < channel->room ? from : from - channel->room];
    }
    if (channel->buffer != NULL)
        rt_free(channel->buffer, channel->room * (int64_t)sizeof(nxd_word));
    channel->buffer = buffer;
    channel->room = room;
    channel->first = 0;
}

static inline void channel_put_unchecked(nxd_channel *channel, nxd_word value) {
    int64_t index = channel->first + channel->length;
    channel->buffer[index < channel->room ? index : index - channel->room] = value;
    channel->length++;
}

static inline void channel_put(nxd_channel *channel, nxd_word value) {
    if (RT_UNLIKELY(channel->length == channel->room))
        channel_grow(channel);
    channel_put_unchecked(channel, value);
}

static inline nxd_word channel_get(nxd_channel *channel) {
    nxd_word value = channel->buffer[channel->first];
    int64_t first = channel->first + 1;
    channel->first = first == channel->room ? 0 : first;
    channel->length--;
    return value;
}

static inline rt_attempt channel_offer(nxd_channel *channel, nxd_word value, rt_process **other, bool shared) {
    if (RT_UNLIKELY(channel->closed))
        return RT_ATTEMPT_CLOSED;
    if (channel->receivers.first != NULL) {
        rt_waiter *receiver = rt_queue_claim(&channel->receivers, RT_WAKE_DONE, shared);
        if (receiver != NULL) {
            receiver->value = value;
            *other = receiver->process;
            return RT_ATTEMPT_DONE;
        }
    }
    if (channel->length >= channel->capacity)
        return RT_ATTEMPT_WAIT;
    channel_put(channel, value);
    return RT_ATTEMPT_DONE;
}

static inline rt_attempt channel_accept(nxd_channel *channel, nxd_word *value, rt_process **other, bool shared) {
    if (channel->length > 0) {
        *value = channel_get(channel);
        if (channel->senders.first != NULL) {
            rt_waiter *sender = rt_queue_claim(&channel->senders, RT_WAKE_DONE, shared);
            if (sender != NULL) {
                channel_put(channel, sender->value);
                *other = sender->process;
            }
        }
        return RT_ATTEMPT_DONE;
    }
    if (channel->senders.first != NULL) { // a rendezvous, or room made by a sender that gave up
        rt_waiter *sender = rt_queue_claim(&channel->senders, RT_WAKE_DONE, shared);
        if (sender != NULL) {
            *value = sender->value;
            *other = sender->process;
            return RT_ATTEMPT_DONE;
        }
    }
    return channel->closed ? RT_ATTEMPT_CLOSED : RT_ATTEMPT_WAIT;
}

rt_attempt rt_channel_offer_locked(nxd_channel *channel, nxd_word value, rt_process **other, bool shared) {
    return channel_offer(channel, value, other, shared);
}

rt_attempt rt_channel_accept_locked(nxd_channel *channel, nxd_word *value, rt_process **other, bool shared) {
    return channel_accept(channel, value, other, shared);
}

// ---- send ----------------------------------------------------------------------------------------------------------

static void channel_leave_queue(rt_process *process, nxd_channel *channel, rt_queue *queue, rt_waiter *waiter) {
    bool shared = rt_worker_shares(process->worker);
    rt_spin_take(&channel->lock, RT_RANK_CHANNEL, shared);
    if (waiter->queued)
        rt_queue_remove(queue, waiter);
    rt_spin_give(&channel->lock, shared);
}

// The channel is locked and full. In a section; releases the lock.
static inline rt_wake channel_send_park(rt_process *process, nxd_channel *channel, nxd_word value, bool shared) {
    uint64_t round = rt_process_wait_begin(process, RT_WAITS_SEND);
    rt_waiter waiter = {.process = process, .round = round, .value = value};
    if (round != 0)
        rt_queue_add(&channel->senders, &waiter);
    rt_spin_give(&channel->lock, shared);
    if (RT_UNLIKELY(round == 0))
        return RT_WAKE_CANCEL;
    rt_wake wake = rt_process_park(process);
    if (RT_UNLIKELY(wake > RT_WAKE_CLOSED))
        channel_leave_queue(process, channel, &channel->senders, &waiter);
    return wake;
}

static RT_COLD NXD_OWNED nxd_error *channel_send_failed(rt_process *process, nxd_channel *channel, nxd_word value,
                                                        rt_wake wake) {
    rt_drop_word(value, channel->form);
    return rt_process_wake_error(process, wake);
}

// In a section, which it ends.
static RT_NOINLINE NXD_OWNED nxd_error *channel_send_general(rt_process *process, nxd_channel *channel,
                                                             nxd_word value) {
    rt_process *other = NULL;
    rt_wake wake = RT_WAKE_DONE;
    rt_worker *worker = process->worker;
    bool shared = rt_worker_shares(worker);
    rt_spin_take(&channel->lock, RT_RANK_CHANNEL, shared);
    rt_attempt attempt = channel_offer(channel, value, &other, shared);
    if (RT_LIKELY(attempt != RT_ATTEMPT_WAIT)) {
        rt_spin_give(&channel->lock, shared);
        if (other != NULL)
            rt_runq_wake(worker, other);
        if (RT_UNLIKELY(attempt == RT_ATTEMPT_CLOSED))
            wake = RT_WAKE_CLOSED;
    } else {
        wake = channel_send_park(process, channel, value, shared);
    }
    rt_process_section_end(process);
    return RT_LIKELY(wake == RT_WAKE_DONE) ? NULL : channel_send_failed(process, channel, value, wake);
}

nxd_error *nxd_channel_send(nxd_process *self, nxd_channel *channel, NXD_TAKE nxd_word value) {
    rt_process *process = rt_process_of(self);
    rt_worker *worker = rt_section_begin(process);
    // The common case in a few instructions: alone, nobody waits, there is room.
    if (RT_LIKELY(worker->mode == 0 && !channel->closed && channel->length < channel->room) &&
        channel->receivers.first == NULL) {
        channel_put_unchecked(channel, value);
        rt_section_end(worker);
        return NULL;
    }
    return channel_send_general(process, channel, value);
}

nxd_rw nxd_channel_try_send(nxd_process *self, nxd_channel *channel, NXD_TAKE nxd_word value) {
    rt_process *process = rt_process_of(self);
    rt_process *other = NULL;
    rt_worker *worker = rt_section_begin(process);
    bool shared = rt_worker_shares(worker);
    rt_spin_take(&channel->lock, RT_RANK_CHANNEL, shared);
    rt_attempt attempt = channel_offer(channel, value, &other, shared);
    rt_spin_give(&channel->lock, shared);
    if (other != NULL)
        rt_runq_wake(worker, other);
    rt_section_end(worker);
    if (attempt == RT_ATTEMPT_DONE)
        return rt_ok(1);
    rt_drop_word(value, channel->form);
    return attempt == RT_ATTEMPT_WAIT ? rt_ok(0) : rt_fail(nxd_error_new(NXD_E3001, NULL));
}

// ---- receive -------------------------------------------------------------------------------------------------------

// The channel is locked and empty. In a section; releases the lock.
static inline rt_wake channel_recv_park(rt_process *process, nxd_channel *channel, nxd_word *value, rt_waits waits,
                                        int64_t deadline, bool shared) {
    uint64_t round = rt_process_wait_begin(process, waits);
    rt_waiter waiter = {.process = process, .round = round};
    if (round != 0)
        rt_queue_add(&channel->receivers, &waiter);
    rt_spin_give(&channel->lock, shared);
    if (RT_UNLIKELY(round == 0))
        return RT_WAKE_CANCEL;
    rt_timers *timers = &process->worker->timers;
    if (deadline != RT_NEVER)
        rt_timer_add(process->worker, deadline, process, round);
    rt_wake wake = rt_process_park(process);
    if (deadline != RT_NEVER && wake != RT_WAKE_TIMEOUT)
        rt_timer_stale(timers);
    if (RT_UNLIKELY(wake > RT_WAKE_CLOSED))
        channel_leave_queue(process, channel, &channel->receivers, &waiter);
    *value = waiter.value;
    return wake;
}

// In a section, which it ends. Inlined, so that a parked process keeps one frame less.
static inline __attribute__((always_inline)) rt_wake
channel_receive_general(rt_process *process, nxd_channel *channel, nxd_word *value, rt_waits waits, int64_t deadline) {
    rt_process *other = NULL;
    rt_wake wake = RT_WAKE_DONE;
    rt_worker *worker = process->worker;
    bool shared = rt_worker_shares(worker);
    rt_spin_take(&channel->lock, RT_RANK_CHANNEL, shared);
    rt_attempt attempt = channel_accept(channel, value, &other, shared);
    if (RT_LIKELY(attempt != RT_ATTEMPT_WAIT)) {
        rt_spin_give(&channel->lock, shared);
        if (other != NULL)
            rt_runq_wake(worker, other);
        if (RT_UNLIKELY(attempt == RT_ATTEMPT_CLOSED))
            wake = RT_WAKE_CLOSED;
    } else {
        wake = channel_recv_park(process, channel, value, waits, deadline, shared);
    }
    rt_process_section_end(process);
    return wake;
}

// The common case in a few instructions: alone, there is a value, no sender waits. In a section, which it ends if it
//   succeeds.
static inline bool channel_receive_at_once(rt_worker *worker, nxd_channel *channel, nxd_word *value) {
    if (RT_UNLIKELY(worker->mode != 0) || channel->length == 0 || channel->senders.first != NULL)
        return false;
    *value = channel_get(channel);
    rt_section_end(worker);
    return true;
}

static RT_NOINLINE nxd_rw channel_recv_general(rt_process *process, nxd_channel *channel) {
    nxd_word value = 0;
    rt_wake wake = channel_receive_general(process, channel, &value, RT_WAITS_RECV, RT_NEVER);
    return RT_LIKELY(wake == RT_WAKE_DONE) ? rt_ok(value) : rt_fail(rt_process_wake_error(process, wake));
}

nxd_rw nxd_channel_recv(nxd_process *self, nxd_channel *channel) {
    rt_process *process = rt_process_of(self);
    rt_worker *worker = rt_section_begin(process);
    nxd_word value;
    if (channel_receive_at_once(worker, channel, &value))
        return rt_ok(value);
    return channel_recv_general(process, channel);
}

static RT_NOINLINE nxd_rw channel_next_general(rt_process *process, nxd_channel *channel, int64_t *more) {
    nxd_word value = 0;
    rt_wake wake = channel_receive_general(process, channel, &value, RT_WAITS_LOOP, RT_NEVER);
    *more = wake == RT_WAKE_DONE;
    return RT_LIKELY(wake <= RT_WAKE_CLOSED) ? rt_ok(value) : rt_fail(rt_process_wake_error(process, wake));
}

nxd_rw nxd_channel_next(nxd_process *self, nxd_channel *channel, int64_t *more) {
    rt_process *process = rt_process_of(self);
    rt_worker *worker = rt_section_begin(process);
    nxd_word value;
    if (!channel_receive_at_once(worker, channel, &value))
        return channel_next_general(process, channel, more);
    *more = 1;
    return rt_ok(value);
}

nxd_rw nxd_channel_try_recv(nxd_process *self, nxd_channel *channel, int64_t *got) {
    rt_process *process = rt_process_of(self);
    rt_process *other = NULL;
    nxd_word value = 0;
    rt_worker *worker = rt_section_begin(process);
    bool shared = rt_worker_shares(worker);
    rt_spin_take(&channel->lock, RT_RANK_CHANNEL, shared);
    *got = channel_accept(channel, &value, &other, shared) == RT_ATTEMPT_DONE;
    rt_spin_give(&channel->lock, shared);
    if (other != NULL)
        rt_runq_wake(worker, other);
    rt_section_end(worker);
    return rt_ok(value);
}

nxd_rw nxd_channel_recv_timeout(nxd_process *self, nxd_channel *channel, double seconds, int64_t *got) {
    rt_process *process = rt_process_of(self);
    nxd_word value = 0;
    if (!(seconds > 0))
        return nxd_channel_try_recv(self, channel, got);
    int64_t deadline = rt_deadline_after(seconds);
    rt_section_begin(process);
    rt_wake wake = channel_receive_general(process, channel, &value, RT_WAITS_RECV, deadline);
    *got = wake == RT_WAKE_DONE;
    return RT_LIKELY(wake <= RT_WAKE_TIMEOUT) ? rt_ok(value) : rt_fail(rt_process_wake_error(process, wake));
}

void nxd_channel_close(nxd_process *self, nxd_channel *channel) {
    rt_worker *worker = rt_section_begin(rt_process_of(self));
    bool shared = rt_worker_shares(worker);
    rt_ready ready = {NULL, NULL};
    rt_waiter *waiter;
    rt_spin_take(&channel->lock, RT_RANK_CHANNEL, shared);
    channel->closed = true;
    while ((waiter = rt_queue_claim(&channel->receivers, RT_WAKE_CLOSED, shared)) != NULL)
        rt_ready_add(&ready, waiter->process);
    while ((waiter = rt_queue_claim(&channel->senders, RT_WAKE_CLOSED, shared)) != NULL)
        rt_ready_add(&ready, waiter->process);
    rt_spin_give(&channel->lock, shared);
    rt_ready_run(worker, &ready);
    rt_section_end(worker);
}

// ---- views of another element type ---------------------------------------------------------------------------------

// CHANNEL<T> and CHANNEL<any> convert to each other; the check is at SEND and RECV. Takes the value.
nxd_rw rt_channel_convert(NXD_TAKE nxd_word value, int64_t from, int64_t to) {
    if (from == to)
        return rt_ok(value);
    nxd_any any = rt_type(from)->form == NXD_FORM_ANY ? value : nxd_any_box(value, from);
    return rt_type(to)->kind == NXD_KIND_ANY ? rt_ok(any) : nxd_any_cast(any, to);
}

static int64_t channel_element(const nxd_channel *channel) {
    return rt_type_of(&channel->head)->element;
}

nxd_error *nxd_channel_send_as(nxd_process *self, nxd_channel *channel, NXD_TAKE nxd_word value, int64_t type) {
    nxd_rw converted = rt_channel_convert(value, type, channel_element(channel));
    return converted.error != NULL ? converted.error : nxd_channel_send(self, channel, converted.value);
}

nxd_rw nxd_channel_try_send_as(nxd_process *self, nxd_channel *channel, NXD_TAKE nxd_word value, int64_t type) {
    nxd_rw converted = rt_channel_convert(value, type, channel_element(channel));
    return converted.error != NULL ? converted : nxd_channel_try_send(self, channel, converted.value);
}

nxd_rw nxd_channel_recv_as(nxd_process *self, nxd_channel *channel, int64_t type) {
    nxd_rw received = nxd_channel_recv(self, channel);
    return received.error != NULL ? received : rt_channel_convert(received.value, channel_element(channel), type);
}

nxd_rw nxd_channel_next_as(nxd_process *self, nxd_channel *channel, int64_t type, int64_t *more) {
    nxd_rw received = nxd_channel_next(self, channel, more);
    if (received.error != NULL || !*more)
        return received;
    return rt_channel_convert(received.value, channel_element(channel), type);
}

nxd_rw nxd_any_step(nxd_process *self, nxd_any walked, int64_t index, int64_t *more) {
    nxd_object *object = rt_word_object(walked);
    if (rt_type_of(object)->kind != NXD_KIND_CHANNEL)
        return rt_ok(rt_any_element((nxd_list *)object, index, more));
    return nxd_channel_next_as(self, (nxd_channel *)object, NXD_TYPE_ANY, more);
}

// ---- the prelude's forms -------------------------------------------------------------------------------------------

// The type of what SOME holds.
static int64_t option_payload(int64_t option_type) {
    return rt_type(option_type)->variants[RT_SOME].fields[0].type;
}

static nxd_rw received_as_option(nxd_channel *channel, nxd_rw received, int64_t got, int64_t option_type) {
    if (received.error == NULL && got)
        received = rt_channel_convert(received.value, channel_element(channel), option_payload(option_type));
    if (received.error != NULL)
        return received;
    return rt_ok(rt_ptr_word(got ? rt_option_some(option_type, received.value) : rt_option_none(option_type)));
}

nxd_rw nxd_channel_try_recv_option(nxd_process *self, nxd_channel *channel, int64_t option_type) {
    int64_t got;
    nxd_rw received = nxd_channel_try_recv(self, channel, &got);
    return received_as_option(channel, received, got, option_type);
}

nxd_rw nxd_channel_recv_timeout_option(nxd_process *self, nxd_channel *channel, double seconds, int64_t option_type) {
    int64_t got = 0;
    nxd_rw received = nxd_channel_recv_timeout(self, channel, seconds, &got);
    return received_as_option(channel, received, got, option_type);
}

nxd_rw nxd_channel_recv_timeout_seconds(nxd_process *self, nxd_channel *channel, int64_t seconds, int64_t option_type) {
    return nxd_channel_recv_timeout_option(self, channel, (double)seconds, option_type);
}
