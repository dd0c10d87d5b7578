// Processes: start, end, giving way, cancellation, sleep. States and claims: nxd/process.h.
//
// Invariants: stack_limit is the soft limit until the stack is deep, then the hard one; UINTPTR_MAX while an interrupt
//   is pending.
// Threads: `cancel`, `poll` and `stack_limit` may be written by any thread; the rest belongs to the process while it
//   runs and to its claimer while it is being woken.
// Cancellation: set once, raised at the first loop back edge or blocking point after it, and again at every blocking
//   point (nothing else stops a program that catches it). An operation that need not wait succeeds even so: FINALLY
//   blocks can send.
#include "nxd/process.h"

#include "nxd/handle.h"
#include "nxd/nxd_abi.gen.h"
#include "nxd/object.h"
#include "nxd/stack.h"
#include "nxd/worker.h"

#if !defined(RT_ASAN) && !defined(RT_TSAN)
_Static_assert(offsetof(rt_process, wake_index) == 64, "what a switch touches is the first cache line");
#endif

// ---- interrupts ----------------------------------------------------------------------------------------------------

void rt_process_interrupt(rt_process *process) {
    __atomic_store_n(&process->head.stack_limit, UINTPTR_MAX, __ATOMIC_RELAXED);
    __atomic_store_n(&process->head.poll, 1, __ATOMIC_RELEASE);
}

void rt_hook_out_of_memory(void) {
    rt_process *process = rt_process_current();
    if (process == NULL)
        return;
    process->no_memory = true;
    rt_process_interrupt(process);
}

static uintptr_t process_limit(const rt_process *process) {
    return process->deep ? process->stack_hard : process->stack_soft;
}

static RT_COLD NXD_OWNED nxd_error *process_cancel_error(rt_process *process) {
    uint32_t code = atomic_load_explicit(&process->cancel, memory_order_relaxed);
    process->delivered = true;
    return nxd_error_new(code == 0 ? NXD_E3005 : (int64_t)code, NULL);
}

// Lets others run, if there are any.
static void process_give_way(rt_process *process) {
    rt_worker *worker = rt_section_begin(process);
    if (atomic_load_explicit(&worker->attention, memory_order_relaxed) != 0)
        rt_worker_tick(worker);
    if (!rt_runq_is_empty(worker)) {
        worker->next_budget = 1; // those in the queue have waited longest
        rt_worker_switch(process, RT_AFTER_YIELD);
    }
    rt_process_section_end(process);
}

NXD_OWNED nxd_error *nxd_poll(nxd_process *self) {
    rt_process *process = rt_process_of(self);
    __atomic_store_n(&self->stack_limit, process_limit(process), __ATOMIC_RELAXED);
    __atomic_exchange_n(&self->poll, 0, __ATOMIC_SEQ_CST); // before `cancel` is read: see rt_process_cancel
    if (RT_UNLIKELY(process->no_memory)) {
        process->no_memory = false;
        return nxd_error_new(NXD_E1009, NULL);
    }
    if (!process->delivered && rt_process_is_cancelled(process))
        return process_cancel_error(process);
    process_give_way(process);
    if (!process->delivered && rt_process_is_cancelled(process))
        return process_cancel_error(process);
    return NULL;
}

NXD_OWNED nxd_error *nxd_stack_check(nxd_process *self) {
    rt_process *process = rt_process_of(self);
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    if (here < process->stack_hard)
        return nxd_error_new(NXD_E1007, NULL);
    if (__atomic_load_n(&self->stack_limit, __ATOMIC_RELAXED) == UINTPTR_MAX)
        return nxd_poll(self);
    process->deep = true;
    __atomic_store_n(&self->stack_limit, process->stack_hard, __ATOMIC_RELAXED);
    return NULL;
}

// ---- waiting -------------------------------------------------------------------------------------------------------

RT_COLD NXD_OWNED nxd_error *rt_process_wake_error(rt_process *process, rt_wake wake) {
    if (wake == RT_WAKE_CLOSED)
        return nxd_error_new(NXD_E3001, NULL);
    if (wake == RT_WAKE_DEADLOCK)
        return rt_deadlock_error(process);
    rt_assert(wake == RT_WAKE_CANCEL);
    return process_cancel_error(process);
}

bool rt_process_cancel(rt_process *process, uint16_t code, bool shared) {
    uint16_t none = 0;
    atomic_compare_exchange_strong(&process->cancel, &none, code);
    rt_process_interrupt(process);
    uint64_t wait = atomic_load(&process->wait); // see rt_process_is_cancelled
    return rt_process_is_waiting(wait) && rt_process_claim(process, wait, RT_WAKE_CANCEL, shared);
}

// ---- start and end -------------------------------------------------------------------------------------------------

static void process_main(void *argument);

static void process_init(rt_process *process, nxd_handle *handle, nxd_entry entry, nxd_object *env,
                         const nxd_site *site) {
    __atomic_store_n(&process->head.poll, 0, __ATOMIC_RELAXED); // the monitor may still mean the last user
    process->head.site = NULL;
    atomic_store_explicit(&process->cancel, 0, memory_order_relaxed);
    process->waits = RT_WAITS_NOT;
    process->delivered = false;
    process->no_memory = false;
    process->deep = false;
    process->select_turn = 0;
    process->context.saved = NULL;
    process->entry = entry;
    process->env = env;
    process->handle = handle;
    process->site = site;
    process->thread = NULL;
}

void rt_process_prepare(rt_worker *worker, rt_process *process) {
    rt_stack stack = rt_stack_take(worker);
    process->stack = stack.low;
    process->stack_hard = (uintptr_t)stack.low + RT_STACK_HEADROOM;
    process->stack_soft = (uintptr_t)stack.top - RT_STACK_SOFT;
    __atomic_store_n(&process->head.stack_limit, process->stack_soft, __ATOMIC_RELAXED);
    rt_context_make(&process->context, stack.low, stack.top, process_main, process);
}

void rt_process_release(rt_worker *worker, rt_process *process) {
    rt_context_end(&process->context);
    rt_stack_release(worker, process->stack, process->deep);
    rt_pool_release(worker, process);
}

NXD_OWNED nxd_handle *nxd_spawn(nxd_process *self, nxd_entry entry, NXD_TAKE nxd_object *env, int64_t type,
                                const nxd_site *site) {
    rt_process *parent = rt_process_of(self);
    if (RT_UNLIKELY(!rt_the_sched.started))
        rt_sched_start();
    nxd_handle *handle = rt_handle_new(type);
    rt_worker *worker = rt_section_begin(parent);
    rt_process *process = rt_pool_take(worker);
    process_init(process, handle, entry, env, site);
    handle->process = process;
    int64_t started = atomic_load_explicit(&worker->started, memory_order_relaxed);
    atomic_store_explicit(&worker->started, started + 1, memory_order_relaxed);
    rt_runq_push(worker, process);
    rt_section_end(worker);
    return handle;
}

// The process's result, independent of what it leaves behind.
static nxd_rw process_run_entry(rt_process *process) {
    if (RT_UNLIKELY(rt_process_is_cancelled(process)))
        return rt_fail(process_cancel_error(process)); // before it began: it never runs
    nxd_rw result = process->entry(&process->head, process->env);
    if (result.error == NULL) {
        int64_t type = rt_handle_result_type(process->handle);
        if (rt_form_is_counted(rt_type(type)->form))
            result.value = nxd_transfer(result.value, type);
    }
    return result;
}

static void process_main(void *argument) {
    rt_process *process = argument;
    rt_context_entered();
    rt_worker_arrive(process->worker);
    rt_process_section_end(process);

    nxd_rw result = process_run_entry(process);
    if (process->env != NULL)
        nxd_drop(process->env);
    rt_cycles_end(&process->cycles);

    nxd_handle *handle = process->handle;
    bool disposable = rt_handle_complete(rt_section_begin(process), process, result);
    rt_process_section_end(process);
    if (disposable)
        rt_handle_dispose(handle, NULL);

    rt_worker *worker = rt_section_begin(process);
    process->handle = NULL;
    int64_t ended = atomic_load_explicit(&worker->ended, memory_order_relaxed);
    atomic_store_explicit(&worker->ended, ended + 1, memory_order_relaxed);
    rt_context_leave(&process->context, rt_worker_pick(process, RT_AFTER_END));
}

// ---- sleep ---------------------------------------------------------------------------------------------------------

// At the deadline, or with the error that ends the wait early.
static NXD_OWNED nxd_error *process_sleep_until(rt_process *process, int64_t deadline) {
    rt_worker *worker = rt_section_begin(process);
    uint64_t round = rt_process_wait_begin(process, RT_WAITS_SLEEP);
    if (round == 0) {
        rt_section_end(worker);
        return process_cancel_error(process);
    }
    rt_timers *timers = &worker->timers;
    rt_timer_add(worker, deadline, process, round);
    rt_wake wake = rt_process_park(process);
    if (wake != RT_WAKE_TIMEOUT)
        rt_timer_stale(timers);
    rt_process_section_end(process);
    return wake == RT_WAKE_TIMEOUT ? NULL : rt_process_wake_error(process, wake);
}

NXD_OWNED nxd_error *nxd_sleep(nxd_process *self, double seconds) {
    rt_process *process = rt_process_of(self);
    if (seconds > 0)
        return process_sleep_until(process, rt_deadline_after(seconds));
    if (rt_process_is_cancelled(process))
        return process_cancel_error(process);
    process_give_way(process);
    return NULL;
}

NXD_OWNED nxd_error *nxd_sleep_seconds(nxd_process *self, int64_t seconds) {
    return nxd_sleep(self, (double)seconds);
}
