// SELECT: waiting for the first of several channels.
//
// Invariants: while its cases are tried and entered into the queues, all channels of a SELECT are locked, by rising
//   address; so no case becomes possible unnoticed. Exactly one claimer ends the wait; the other waiters are taken out
//   of their queues afterwards.
// Threads: see channel.c. Waiters and cases stay on the caller's stack for the time of the call.
// Fairness: the first case tried moves on by one with every SELECT of the process: deterministic, and no case starves.
#include "nxd/channel.h"

#include "nxd/object.h"

#include <math.h>
#include <stdlib.h>

enum { CASES_ON_STACK = 8 };

typedef struct selection {
    rt_process *process;
    nxd_select_case *cases;
    int64_t count;
    rt_waiter *waiters;     // one a case
    nxd_channel **channels; // each once, by rising address
    int64_t channel_count;
} selection;

static int channel_by_address(const void *a, const void *b) {
    uintptr_t left = (uintptr_t)*(nxd_channel *const *)a;
    uintptr_t right = (uintptr_t)*(nxd_channel *const *)b;
    return (left > right) - (left < right);
}

static void collect_channels(selection *self) {
    for (int64_t index = 0; index < self->count; index++)
        self->channels[index] = self->cases[index].channel;
    qsort(self->channels, (size_t)self->count, sizeof(nxd_channel *), channel_by_address);
    int64_t kept = 0;
    for (int64_t index = 0; index < self->count; index++)
        if (kept == 0 || self->channels[kept - 1] != self->channels[index])
            self->channels[kept++] = self->channels[index];
    self->channel_count = kept;
}

static void select_lock_all(selection *self, bool shared) {
    for (int64_t index = 0; index < self->channel_count; index++)
        rt_spin_take(&self->channels[index]->lock, RT_RANK_CHANNEL, shared);
}

static void select_unlock_all(selection *self, bool shared) {
    for (int64_t index = self->channel_count - 1; index >= 0; index--)
        rt_spin_give(&self->channels[index]->lock, shared);
}

static rt_queue *select_queue(const nxd_select_case *chosen) {
    return chosen->is_send ? &chosen->channel->senders : &chosen->channel->receivers;
}

// The first case that is possible at once, or count. Locked.
static int64_t select_try_cases(selection *self, rt_process **other, rt_attempt *attempt, bool shared) {
    int64_t start = self->count == 0 ? 0 : self->process->select_turn++ % self->count;
    for (int64_t tried = 0; tried < self->count; tried++) {
        int64_t index = (start + tried) % self->count;
        nxd_select_case *candidate = &self->cases[index];
        *attempt = candidate->is_send ? rt_channel_offer_locked(candidate->channel, candidate->value, other, shared)
                                      : rt_channel_accept_locked(candidate->channel, &candidate->value, other, shared);
        if (*attempt != RT_ATTEMPT_WAIT)
            return index;
    }
    *attempt = RT_ATTEMPT_WAIT;
    return self->count;
}

static void select_enter_queues(selection *self, uint64_t round) {
    for (int64_t index = 0; index < self->count; index++) {
        rt_waiter *waiter = &self->waiters[index];
        *waiter = (rt_waiter){
            .process = self->process, .round = round, .value = self->cases[index].value, .index = (int32_t)index};
        rt_queue_add(select_queue(&self->cases[index]), waiter);
    }
}

static void select_leave_queues(selection *self) {
    bool shared = rt_worker_shares(self->process->worker);
    select_lock_all(self, shared);
    for (int64_t index = 0; index < self->count; index++)
        if (self->waiters[index].queued)
            rt_queue_remove(select_queue(&self->cases[index]), &self->waiters[index]);
    select_unlock_all(self, shared);
}

// All channels are locked and no case is possible. In a section; releases the locks. *chosen: the case, or count for
//   the timeout.
static rt_wake select_wait_park(selection *self, int64_t deadline, int64_t *chosen, bool shared) {
    rt_process *process = self->process;
    process->wake_index = 0;
    uint64_t round = rt_process_wait_begin(process, RT_WAITS_SELECT);
    if (round != 0)
        select_enter_queues(self, round);
    select_unlock_all(self, shared);
    if (round == 0)
        return RT_WAKE_CANCEL;
    rt_timers *timers = &process->worker->timers;
    if (deadline != RT_NEVER)
        rt_timer_add(process->worker, deadline, process, round);
    rt_wake wake = rt_process_park(process);
    if (deadline != RT_NEVER && wake != RT_WAKE_TIMEOUT)
        rt_timer_stale(timers);
    select_leave_queues(self);
    *chosen = self->count;
    if (wake <= RT_WAKE_CLOSED) {
        *chosen = process->wake_index;
        if (wake == RT_WAKE_DONE && !self->cases[*chosen].is_send)
            self->cases[*chosen].value = self->waiters[*chosen].value;
    }
    return wake;
}

static rt_wake select_run(selection *self, double seconds, int64_t *chosen) {
    rt_process *process = self->process;
    rt_process *other = NULL;
    rt_attempt attempt;
    int64_t deadline = isinf(seconds) ? RT_NEVER : rt_deadline_after(seconds);
    rt_wake wake = RT_WAKE_DONE;
    rt_worker *worker = rt_section_begin(process);
    bool shared = rt_worker_shares(worker);
    select_lock_all(self, shared);
    *chosen = select_try_cases(self, &other, &attempt, shared);
    if (attempt == RT_ATTEMPT_WAIT && seconds > 0) {
        wake = select_wait_park(self, deadline, chosen, shared);
    } else {
        select_unlock_all(self, shared);
        if (other != NULL)
            rt_runq_wake(worker, other);
        if (attempt == RT_ATTEMPT_CLOSED)
            wake = RT_WAKE_CLOSED;
    }
    rt_process_section_end(process);
    return wake;
}

nxd_rw nxd_select(nxd_process *self, nxd_select_case *cases, int64_t count, double seconds) {
    rt_waiter waiters[CASES_ON_STACK];
    nxd_channel *channels[CASES_ON_STACK];
    selection chosen_from = {.process = rt_process_of(self), .cases = cases, .count = count, .waiters = waiters,
                             .channels = channels};
    bool large = count > CASES_ON_STACK;
    if (large) {
        chosen_from.waiters = rt_alloc(count * (int64_t)sizeof(rt_waiter));
        chosen_from.channels = rt_alloc(count * (int64_t)sizeof(nxd_channel *));
    }
    collect_channels(&chosen_from);
    int64_t chosen;
    rt_wake wake = select_run(&chosen_from, seconds, &chosen);
    if (large) {
        rt_free(chosen_from.waiters, count * (int64_t)sizeof(rt_waiter));
        rt_free(chosen_from.channels, count * (int64_t)sizeof(nxd_channel *));
    }
    if (wake == RT_WAKE_DONE || wake == RT_WAKE_TIMEOUT)
        return rt_ok((nxd_word)chosen);
    return rt_fail(rt_process_wake_error(chosen_from.process, wake));
}

// ---- views of another element type ---------------------------------------------------------------------------------

static int64_t case_element(const nxd_select_case *self) {
    return rt_type_of(&self->channel->head)->element;
}

// Converts copies of the words to send, so that those not chosen are still the caller's as they were.
static NXD_OWNED nxd_error *select_convert_sends(nxd_select_case *cases, nxd_word *given, int64_t count,
                                                 const int64_t *types) {
    for (int64_t index = 0; index < count; index++) {
        given[index] = cases[index].value;
        if (!cases[index].is_send || types[index] == case_element(&cases[index]))
            continue;
        rt_dup_word(given[index], rt_type(types[index])->form);
        nxd_rw converted = rt_channel_convert(given[index], types[index], case_element(&cases[index]));
        if (converted.error != NULL) {
            while (index-- > 0)
                if (cases[index].is_send && types[index] != case_element(&cases[index]))
                    rt_drop_word(cases[index].value, cases[index].channel->form);
            return converted.error;
        }
        cases[index].value = converted.value;
    }
    return NULL;
}

// Of each word that was converted one form is left: the channel has the other, or it is the caller's.
static void select_settle_sends(const nxd_select_case *cases, const nxd_word *given, int64_t count,
                                const int64_t *types, int64_t chosen) {
    for (int64_t index = 0; index < count; index++) {
        if (!cases[index].is_send || types[index] == case_element(&cases[index]))
            continue;
        if (index == chosen)
            rt_drop_word(given[index], rt_type(types[index])->form);
        else
            rt_drop_word(cases[index].value, cases[index].channel->form);
    }
}

nxd_rw nxd_select_as(nxd_process *self, nxd_select_case *cases, int64_t count, double seconds, const int64_t *types) {
    nxd_word on_stack[CASES_ON_STACK];
    nxd_word *given = count > CASES_ON_STACK ? rt_alloc(count * (int64_t)sizeof *given) : on_stack;
    nxd_error *error = select_convert_sends(cases, given, count, types);
    nxd_rw result = error != NULL ? rt_fail(error) : nxd_select(self, cases, count, seconds);
    int64_t chosen = result.error == NULL ? (int64_t)result.value : count;
    if (error == NULL)
        select_settle_sends(cases, given, count, types, chosen);
    if (chosen < count && !cases[chosen].is_send) {
        nxd_rw received = rt_channel_convert(cases[chosen].value, case_element(&cases[chosen]), types[chosen]);
        cases[chosen].value = received.value;
        if (received.error != NULL)
            result = received;
    }
    if (given != on_stack)
        rt_free(given, count * (int64_t)sizeof *given);
    return result;
}
