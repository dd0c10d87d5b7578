// Handles: results of processes, AWAIT, PING, ESC, TIMEOUT.
//
// Invariants: `process` is not NULL exactly while the process may still be cancelled; error and result are constant
//   once DONE is set. A handle whose error nobody has seen, and its reference not yet gone, is in the list of failed
//   ones.
// Threads: the lock guards what the header says; DONE is set with release after the process's last use of the handle.
//   The list of failed ones has its own lock, always taken for real.
// An awaited value is independent every time: words are copied; other values are marked shared at the first AWAIT (so
//   that counts are atomic), then dup'ed if nothing can change them, else cloned. An AWAIT that takes the only
//   reference moves the value.
#include "nxd/handle.h"

#include "nxd/nxd_abi.gen.h"
#include "nxd/object.h"

#include <stdio.h>
#include <stdlib.h>

enum { GROUP_INDEX = -1 };

struct rt_failed {
    nxd_handle *handle;
    const nxd_site *site;
    rt_failed *next;
    rt_failed *previous;
};

static _Atomic int64_t completions; // processes that have ended

static rt_spin failed_lock;
static rt_failed *failed_first;

// AWAIT of a list: one group for all handles, on the heap of the awaiting process.
typedef struct group_waiter {
    rt_waiter waiter; // first: found from the queue of the handle
    nxd_handle *handle;
    struct rt_group *group;
    struct group_waiter *next; // among those that the awaiting process has not looked at
    bool complete;             // ended when the wait did
} group_waiter;

typedef struct rt_group {
    rt_spin lock; // guards the fields below
    uint64_t round; // of the process's wait, or 0
    group_waiter *first;
    group_waiter *last;
} rt_group;

int64_t rt_handle_result_type(const nxd_handle *handle) {
    return rt_type_of(&handle->head)->element;
}

static int64_t handle_result_form(const nxd_handle *handle) {
    return rt_type(rt_handle_result_type(handle))->form;
}

NXD_OWNED nxd_handle *rt_handle_new(int64_t type) {
    nxd_handle *handle = (nxd_handle *)rt_object_new(sizeof *handle, type);
    handle->head.count = -1;
    handle->state = 0;
    handle->lock.word = 0;
    handle->waiters = (rt_queue){NULL, NULL};
    handle->result.value = 0;
    handle->error = NULL;
    handle->watch = NULL;
    return handle;
}

// ---- errors nobody has seen ----------------------------------------------------------------------------------------

static void failed_add(nxd_handle *handle, const nxd_site *site) {
    rt_failed *failed = rt_alloc(sizeof *failed);
    *failed = (rt_failed){.handle = handle, .site = site};
    handle->result.failed = failed;
    rt_spin_take(&failed_lock, RT_RANK_FAILED, true);
    failed->next = failed_first;
    if (failed_first != NULL)
        failed_first->previous = failed;
    failed_first = failed;
    rt_spin_give(&failed_lock, true);
}

static const nxd_site *failed_remove(nxd_handle *handle) {
    rt_failed *failed = handle->result.failed;
    const nxd_site *site = failed->site;
    rt_spin_take(&failed_lock, RT_RANK_FAILED, true);
    if (failed->previous == NULL)
        failed_first = failed->next;
    else
        failed->previous->next = failed->next;
    if (failed->next != NULL)
        failed->next->previous = failed->previous;
    rt_spin_give(&failed_lock, true);
    rt_free(failed, sizeof *failed);
    return site;
}

// A cancelled process did what it was told: no report. Takes the error.
static void report_failure(NXD_TAKE nxd_error *error, const nxd_site *site) {
    if (nxd_error_code(error) == NXD_E3005) {
        nxd_error_drop(error);
        return;
    }
    if (site != NULL) {
        char note[512];
        snprintf(note, sizeof note, "  in a process started at %s:%u (%s)", site->file, site->line, site->function);
        rt_error_add_note(error, rt_string_ascii(note));
    }
    rt_error_report(error, "error");
}

static bool handle_is_seen(const nxd_handle *handle) {
    return (atomic_load_explicit(&handle->state, memory_order_relaxed) & RT_HANDLE_SEEN) != 0;
}

RT_COLD static void handle_dispose_error(nxd_handle *handle) {
    const nxd_site *site = failed_remove(handle);
    if (handle_is_seen(handle))
        nxd_error_drop(handle->error);
    else
        report_failure(handle->error, site);
}

void rt_handle_dispose(nxd_handle *handle, rt_pending *pending) {
    if (handle->error != NULL)
        handle_dispose_error(handle);
    else if (pending != NULL)
        rt_pending_drop(pending, handle->result.value, handle_result_form(handle));
    else
        rt_drop_word(handle->result.value, handle_result_form(handle));
    rt_object_free(&handle->head, sizeof *handle);
}

void rt_hook_handle_destroy(nxd_handle *handle, rt_pending *pending) {
    uint32_t state = atomic_load_explicit(&handle->state, memory_order_acquire);
    if ((state & RT_HANDLE_DONE) == 0)
        state = atomic_fetch_or_explicit(&handle->state, RT_HANDLE_DROPPED, memory_order_acq_rel);
    if ((state & RT_HANDLE_DONE) != 0)
        rt_handle_dispose(handle, pending);
}

void rt_handle_report_failed(void) {
    for (;;) {
        rt_spin_take(&failed_lock, RT_RANK_FAILED, true);
        rt_failed *failed = failed_first;
        while (failed != NULL && handle_is_seen(failed->handle))
            failed = failed->next;
        if (failed != NULL)
            atomic_fetch_or_explicit(&failed->handle->state, RT_HANDLE_SEEN, memory_order_relaxed);
        nxd_error *error = failed == NULL ? NULL : rt_error_copy(failed->handle->error);
        const nxd_site *site = failed == NULL ? NULL : failed->site;
        rt_spin_give(&failed_lock, true);
        if (error == NULL)
            return;
        report_failure(error, site);
    }
}

// ---- completion ----------------------------------------------------------------------------------------------------

// Adds a completed handle to its group; the awaiting process is woken if it waits.
static void group_add(rt_worker *worker, group_waiter *member, rt_ready *ready, bool shared) {
    rt_group *group = member->group;
    rt_process *process = member->waiter.process;
    (void)worker;
    rt_spin_take(&group->lock, RT_RANK_GROUP, shared);
    member->next = NULL;
    if (group->first == NULL)
        group->first = member;
    else
        group->last->next = member;
    group->last = member;
    if (group->round != 0 && rt_process_claim(process, group->round, RT_WAKE_DONE, shared))
        rt_ready_add(ready, process);
    group->round = 0;
    rt_spin_give(&group->lock, shared);
}

// Calls off the watchdog. The lock is held; it may be released for a moment.
static void watch_call_off(nxd_handle *handle, bool shared) {
    while (handle->watch != NULL) {
        rt_watch *watch = handle->watch;
        rt_timers *timers = watch->timers; // once the round is over the heap may free it
        uint64_t round = atomic_load_explicit(&watch->round, memory_order_relaxed);
        if ((round & 1) != 0 && atomic_compare_exchange_strong(&watch->round, &round, round + 1)) {
            handle->watch = NULL;
            rt_timer_stale(timers);
            return;
        }
        rt_spin_give(&handle->lock, shared); // it is firing, and needs the lock for that
        rt_pause();
        rt_spin_take(&handle->lock, RT_RANK_HANDLE, shared);
    }
}

static int64_t completion_next(bool shared) {
    if (shared)
        return atomic_fetch_add_explicit(&completions, 1, memory_order_relaxed);
    int64_t number = atomic_load_explicit(&completions, memory_order_relaxed);
    atomic_store_explicit(&completions, number + 1, memory_order_relaxed);
    return number;
}

bool rt_handle_complete(rt_worker *worker, rt_process *process, nxd_rw result) {
    nxd_handle *handle = process->handle;
    bool shared = rt_worker_shares(worker);
    rt_ready ready = {NULL, NULL};
    rt_spin_take(&handle->lock, RT_RANK_HANDLE, shared);
    if (RT_UNLIKELY(handle->watch != NULL))
        watch_call_off(handle, shared);
    handle->process = NULL;
    handle->completed = completion_next(shared);
    handle->error = result.error;
    if (RT_UNLIKELY(result.error != NULL))
        failed_add(handle, process->site);
    else
        handle->result.value = result.value;
    for (rt_waiter *waiter = handle->waiters.first; waiter != NULL; waiter = handle->waiters.first) {
        rt_queue_remove(&handle->waiters, waiter);
        if (waiter->index == GROUP_INDEX)
            group_add(worker, (group_waiter *)waiter, &ready, shared);
        else if (rt_process_claim(waiter->process, waiter->round, RT_WAKE_DONE, shared))
            rt_ready_add(&ready, waiter->process);
    }
    rt_spin_give(&handle->lock, shared);
    uint32_t state;
    if (shared) {
        state = atomic_fetch_or_explicit(&handle->state, RT_HANDLE_DONE, memory_order_acq_rel);
    } else {
        state = atomic_load_explicit(&handle->state, memory_order_relaxed);
        atomic_store_explicit(&handle->state, state | RT_HANDLE_DONE, memory_order_release);
    }
    if (ready.head != NULL && ready.head == ready.tail)
        rt_runq_wake(worker, ready.head);
    else
        rt_ready_run(worker, &ready);
    return (state & RT_HANDLE_DROPPED) != 0;
}

// ---- AWAIT ---------------------------------------------------------------------------------------------------------

static bool handle_is_done(nxd_handle *handle) {
    return (atomic_load_explicit(&handle->state, memory_order_acquire) & RT_HANDLE_DONE) != 0;
}

// The process has let go of the handle's lock already, it sets DONE at once.
static void handle_spin_done(nxd_handle *handle) {
    while (!handle_is_done(handle))
        rt_pause();
}

// Waits until the handle is done, or for the error that ends the wait.
static NXD_OWNED nxd_error *handle_wait_done(rt_process *process, nxd_handle *handle) {
    if (handle_is_done(handle))
        return NULL;
    rt_worker *worker = rt_section_begin(process);
    bool shared = rt_worker_shares(worker);
    rt_spin_take(&handle->lock, RT_RANK_HANDLE, shared);
    if (handle->process == NULL) {
        rt_spin_give(&handle->lock, shared);
        rt_section_end(worker);
        handle_spin_done(handle);
        return NULL;
    }
    rt_wake wake = RT_WAKE_CANCEL;
    uint64_t round = rt_process_wait_begin(process, RT_WAITS_AWAIT);
    rt_waiter waiter = {.process = process, .round = round};
    if (round != 0)
        rt_queue_add(&handle->waiters, &waiter);
    rt_spin_give(&handle->lock, shared);
    if (round != 0) {
        wake = rt_process_park(process);
        if (RT_UNLIKELY(wake != RT_WAKE_DONE)) {
            shared = rt_worker_shares(process->worker);
            rt_spin_take(&handle->lock, RT_RANK_HANDLE, shared);
            if (waiter.queued)
                rt_queue_remove(&handle->waiters, &waiter);
            rt_spin_give(&handle->lock, shared);
        }
    }
    rt_process_section_end(process);
    return wake == RT_WAKE_DONE ? NULL : rt_process_wake_error(process, wake);
}

RT_COLD static nxd_rw handle_copy_error(rt_process *process, nxd_handle *handle) {
    rt_worker *worker = rt_section_begin(process);
    bool shared = rt_worker_shares(worker);
    atomic_fetch_or_explicit(&handle->state, RT_HANDLE_SEEN, memory_order_relaxed);
    rt_spin_take(&handle->lock, RT_RANK_HANDLE, shared); // copying may count
    nxd_error *error = rt_error_copy(handle->error);
    rt_spin_give(&handle->lock, shared);
    rt_section_end(worker);
    return rt_fail(error);
}

// Makes the counts in the value atomic, once.
static void handle_publish(rt_process *process, nxd_handle *handle, int64_t type) {
    if ((atomic_load_explicit(&handle->state, memory_order_acquire) & RT_HANDLE_PUBLISHED) != 0)
        return;
    rt_worker *worker = rt_section_begin(process);
    bool shared = rt_worker_shares(worker);
    rt_spin_take(&handle->lock, RT_RANK_HANDLE, shared);
    if ((atomic_load_explicit(&handle->state, memory_order_relaxed) & RT_HANDLE_PUBLISHED) == 0) {
        nxd_share(handle->result.value, type);
        atomic_fetch_or_explicit(&handle->state, RT_HANDLE_PUBLISHED, memory_order_release);
    }
    rt_spin_give(&handle->lock, shared);
    rt_section_end(worker);
}

// An independent copy of the result of a handle that is done.
static nxd_rw handle_copy_result(rt_process *process, nxd_handle *handle) {
    if (RT_UNLIKELY(handle->error != NULL))
        return handle_copy_error(process, handle);
    nxd_word value = handle->result.value;
    int64_t type = rt_handle_result_type(handle);
    if (!rt_form_is_counted(rt_type(type)->form))
        return rt_ok(value);
    handle_publish(process, handle, type);
    if ((rt_type(type)->flags & NXD_TYPE_DEEP_IMMUTABLE) == 0)
        return rt_ok(nxd_clone(value, type));
    rt_dup_word(value, rt_type(type)->form);
    return rt_ok(value);
}

nxd_rw nxd_await(nxd_process *self, nxd_handle *handle) {
    rt_process *process = rt_process_of(self);
    nxd_error *error = handle_wait_done(process, handle);
    return error == NULL ? handle_copy_result(process, handle) : rt_fail(error);
}

nxd_rw nxd_await_take(nxd_process *self, NXD_TAKE nxd_handle *handle) {
    rt_process *process = rt_process_of(self);
    nxd_error *error = handle_wait_done(process, handle);
    nxd_rw result;
    if (error != NULL) {
        result = rt_fail(error);
    } else if (__atomic_load_n(&handle->head.count, __ATOMIC_ACQUIRE) != -1) {
        result = handle_copy_result(process, handle);
    } else { // nobody else has it: move
        result = handle->error == NULL ? rt_ok(handle->result.value) : rt_fail(handle->error);
        if (handle->error != NULL)
            failed_remove(handle);
        rt_object_free(&handle->head, sizeof *handle);
        return result;
    }
    nxd_drop(&handle->head);
    return result;
}

// ---- AWAIT of a list -----------------------------------------------------------------------------------------------

// Registers with every handle that is not done; the others count as completed.
static void group_enter(rt_process *process, rt_group *group, group_waiter *members, int64_t count) {
    rt_worker *worker = rt_section_begin(process);
    bool shared = rt_worker_shares(worker);
    rt_ready none = {NULL, NULL};
    for (int64_t index = 0; index < count; index++) {
        group_waiter *member = &members[index];
        nxd_handle *handle = member->handle;
        member->group = group;
        member->waiter = (rt_waiter){.process = process, .index = GROUP_INDEX};
        rt_spin_take(&handle->lock, RT_RANK_HANDLE, shared);
        if (handle->process == NULL)
            group_add(worker, member, &none, shared);
        else
            rt_queue_add(&handle->waiters, &member->waiter);
        rt_spin_give(&handle->lock, shared);
    }
    rt_section_end(worker);
}

// The next completed handle, or NULL and the error that ends the wait.
static group_waiter *group_next(rt_process *process, rt_group *group, nxd_error **error) {
    group_waiter *member = NULL;
    rt_wake wake = RT_WAKE_DONE;
    rt_section_begin(process);
    while (member == NULL && wake == RT_WAKE_DONE) {
        bool shared = rt_worker_shares(process->worker);
        rt_spin_take(&group->lock, RT_RANK_GROUP, shared);
        member = group->first;
        if (member != NULL)
            group->first = member->next;
        else
            group->round = rt_process_wait_begin(process, RT_WAITS_AWAIT);
        bool parks = member == NULL && group->round != 0;
        rt_spin_give(&group->lock, shared);
        if (member == NULL)
            wake = parks ? rt_process_park(process) : RT_WAKE_CANCEL;
    }
    rt_process_section_end(process);
    if (member == NULL)
        *error = rt_process_wake_error(process, wake);
    return member;
}

// Takes the members out of the queues they are still in.
static void group_leave(rt_process *process, group_waiter *members, int64_t count) {
    rt_worker *worker = rt_section_begin(process);
    bool shared = rt_worker_shares(worker);
    for (int64_t index = 0; index < count; index++) {
        nxd_handle *handle = members[index].handle;
        rt_spin_take(&handle->lock, RT_RANK_HANDLE, shared);
        if (members[index].waiter.queued)
            rt_queue_remove(&handle->waiters, &members[index].waiter);
        rt_spin_give(&handle->lock, shared);
    }
    rt_section_end(worker);
}

// The handles of the list, one reference each: other processes may change the list meanwhile.
static int64_t list_snapshot(nxd_list *handles, group_waiter **members) {
    int64_t length = nxd_list_length(handles);
    int64_t count = 0;
    *members = length == 0 ? NULL : rt_alloc(length * (int64_t)sizeof **members);
    for (; count < length; count++) {
        nxd_rw item = nxd_list_get(handles, count);
        if (item.error != NULL) {
            nxd_error_drop(item.error);
            break;
        }
        (*members)[count] = (group_waiter){.handle = (nxd_handle *)rt_word_object(item.value)};
    }
    return count;
}

// Until all are done, one of them has failed, or for the error that ends the wait.
static NXD_OWNED nxd_error *group_wait(rt_process *process, group_waiter *members, int64_t count) {
    rt_group group = {.round = 0};
    nxd_error *error = NULL;
    bool failed = false;
    group_enter(process, &group, members, count);
    for (int64_t done = 0; done < count && !failed; done++) {
        group_waiter *member = group_next(process, &group, &error);
        if (member == NULL)
            break;
        handle_spin_done(member->handle);
        failed = member->handle->error != NULL;
    }
    group_leave(process, members, count);
    for (int64_t index = 0; index < count; index++) // others may have failed before the one that was met first
        members[index].complete = handle_is_done(members[index].handle);
    return error;
}

static int group_by_completion(const void *a, const void *b) {
    const group_waiter *left = a, *right = b;
    if (!left->complete || !right->complete)
        return (int)right->complete - (int)left->complete;
    return (left->handle->completed > right->handle->completed) - (left->handle->completed < right->handle->completed);
}

// What the completed members give, in the order in which they ended, or the error of the first that failed.
static nxd_rw group_results(rt_process *process, group_waiter *members, int64_t count, int64_t list_type) {
    bool boxes = rt_type(list_type)->element == NXD_TYPE_ANY;
    nxd_list *list = nxd_list_new(list_type, count);
    if (count > 1)
        qsort(members, (size_t)count, sizeof *members, group_by_completion);
    for (int64_t index = 0; index < count && members[index].complete; index++) {
        nxd_rw result = handle_copy_result(process, members[index].handle);
        if (result.error != NULL) {
            nxd_drop(&list->head);
            return result;
        }
        if (boxes)
            result.value = nxd_any_box(result.value, rt_handle_result_type(members[index].handle));
        nxd_list_push(list, result.value);
    }
    return rt_ok(rt_ptr_word(list));
}

nxd_rw nxd_await_all(nxd_process *self, nxd_list *handles, int64_t list_type) {
    rt_process *process = rt_process_of(self);
    group_waiter *members;
    int64_t allocated = nxd_list_length(handles);
    int64_t count = list_snapshot(handles, &members);
    nxd_error *error = group_wait(process, members, count);
    nxd_rw result = error == NULL ? group_results(process, members, count, list_type) : rt_fail(error);
    for (int64_t index = 0; index < count; index++)
        nxd_drop(&members[index].handle->head);
    if (members != NULL)
        rt_free(members, allocated * (int64_t)sizeof *members);
    return result;
}

// ---- AWAIT of what an any holds ------------------------------------------------------------------------------------

static bool is_handle_type(int64_t type) {
    uint32_t kind = rt_type(type)->kind;
    return kind == NXD_KIND_TASK || kind == NXD_KIND_PROCESS;
}

// The list that an any holds as a list of handles, or NULL. A LIST<any> has to hold nothing else.
static NXD_OWNED nxd_list *handles_in(nxd_any value) {
    nxd_list *list = (nxd_list *)rt_word_object(value);
    int64_t element = rt_type_of(&list->head)->element;
    if (is_handle_type(element)) {
        rt_dup(&list->head);
        return list;
    }
    if (element != NXD_TYPE_ANY)
        return NULL;
    list = (nxd_list *)rt_shallow_copy(&list->head); // what is looked at here must not change
    for (int64_t index = 0; index < list->length; index++) {
        if (!is_handle_type(nxd_any_type(((nxd_any *)list->data)[index]))) {
            nxd_drop(&list->head);
            return NULL;
        }
    }
    return list;
}

nxd_rw nxd_any_await(nxd_process *self, nxd_any value) {
    if (nxd_any_is_list(value)) {
        nxd_list *handles = handles_in(value);
        if (handles != NULL) {
            nxd_rw results = nxd_await_all(self, handles, NXD_TYPE_LIST_ANY);
            nxd_drop(&handles->head);
            return results;
        }
    }
    nxd_rw found = nxd_any_handle(value);
    if (found.error != NULL)
        return found;
    nxd_handle *handle = (nxd_handle *)rt_word_object(found.value);
    nxd_rw result = nxd_await(self, handle);
    if (result.error == NULL)
        result.value = nxd_any_box(result.value, rt_handle_result_type(handle));
    nxd_drop(&handle->head);
    return result;
}

// ---- PING, ESC, TIMEOUT --------------------------------------------------------------------------------------------

int64_t nxd_ping(nxd_handle *handle) {
    return !handle_is_done(handle);
}

// In a section.
static void handle_cancel(rt_worker *worker, nxd_handle *handle, uint16_t code, const rt_watch *fired) {
    bool shared = rt_worker_shares(worker);
    rt_spin_take(&handle->lock, RT_RANK_HANDLE, shared);
    rt_process *process = handle->process;
    bool claimed = process != NULL && rt_process_cancel(process, code, shared);
    if (fired != NULL && handle->watch == fired)
        handle->watch = NULL; // from here on the handle may go
    rt_spin_give(&handle->lock, shared);
    if (claimed)
        rt_runq_wake(worker, process);
}

void nxd_cancel(nxd_process *self, nxd_handle *handle) {
    rt_worker *worker = rt_section_begin(rt_process_of(self));
    handle_cancel(worker, handle, NXD_E3005, NULL);
    rt_section_end(worker);
}

void rt_watch_free(rt_watch *watch) {
    rt_free(watch, sizeof *watch);
}

void rt_watch_fire(rt_worker *worker, rt_watch *watch) {
    uint64_t round = atomic_load_explicit(&watch->round, memory_order_acquire);
    if ((round & 1) != 0 && atomic_compare_exchange_strong(&watch->round, &round, round + 1))
        handle_cancel(worker, watch->handle, NXD_E3004, watch);
    rt_watch_free(watch);
}

// A later TIMEOUT replaces an earlier one.
void nxd_timeout(nxd_process *self, nxd_handle *handle, int64_t ms) {
    rt_watch *watch = rt_alloc(sizeof *watch);
    int64_t deadline = rt_deadline_after((double)ms / 1000.0);
    rt_worker *worker = rt_section_begin(rt_process_of(self));
    bool shared = rt_worker_shares(worker);
    *watch = (rt_watch){.round = 1, .handle = handle, .timers = &worker->timers};
    rt_spin_take(&handle->lock, RT_RANK_HANDLE, shared);
    watch_call_off(handle, shared);
    bool running = handle->process != NULL;
    if (running) {
        handle->watch = watch;
        rt_timer_add_watch(worker, deadline, watch);
    }
    rt_spin_give(&handle->lock, shared);
    rt_section_end(worker);
    if (!running)
        rt_watch_free(watch);
}
