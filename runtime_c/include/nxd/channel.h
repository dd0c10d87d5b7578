// Channels and those who wait on them; shared by channel.c, select.c and handle.c.
#ifndef NXD_CHANNEL_H
#define NXD_CHANNEL_H

#include "nxd/worker.h"

// One process in one queue; on the stack of that process.
typedef struct rt_waiter {
    struct rt_waiter *next;
    struct rt_waiter *previous;
    rt_process *process;
    uint64_t round; // of its wait
    nxd_word value; // to send; or received
    int32_t index;  // SELECT: case
    bool queued;
} rt_waiter;

typedef struct rt_queue {
    rt_waiter *first;
    rt_waiter *last;
} rt_queue;

struct nxd_channel {
    nxd_object head;
    rt_spin lock;
    bool closed;
    uint8_t form;    // of the elements
    rt_queue receivers;
    rt_queue senders;
    int64_t length;
    int64_t room;     // words in buffer
    int64_t capacity; // INT64_MAX: unbounded
    int64_t first;    // index in buffer of the oldest
    nxd_word *buffer;
};

static inline void rt_queue_add(rt_queue *queue, rt_waiter *waiter) {
    waiter->next = NULL;
    waiter->previous = queue->last;
    waiter->queued = true;
    if (queue->last == NULL)
        queue->first = waiter;
    else
        queue->last->next = waiter;
    queue->last = waiter;
}

static inline void rt_queue_remove(rt_queue *queue, rt_waiter *waiter) {
    if (waiter->previous == NULL)
        queue->first = waiter->next;
    else
        waiter->previous->next = waiter->next;
    if (waiter->next == NULL)
        queue->last = waiter->previous;
    else
        waiter->next->previous = waiter->previous;
    waiter->queued = false;
}

// The first waiter that still waits, claimed and out of the queue; NULL if there is none.
static inline rt_waiter *rt_queue_claim(rt_queue *queue, rt_wake wake, bool shared) {
    for (rt_waiter *waiter = queue->first; waiter != NULL; waiter = queue->first) {
        rt_process *process = waiter->process;
        rt_queue_remove(queue, waiter);
        if (RT_LIKELY(rt_process_claim(process, waiter->round, wake, shared))) {
            if (RT_UNLIKELY(waiter->index != 0)) // only SELECT asks
                process->wake_index = waiter->index;
            return waiter;
        }
    }
    return NULL;
}

// Result of one attempt on a locked channel.
typedef enum rt_attempt { RT_ATTEMPT_WAIT, RT_ATTEMPT_DONE, RT_ATTEMPT_CLOSED } rt_attempt;

// Without waiting. *other: a process to be made ready once the lock is released, or unchanged.
rt_attempt rt_channel_offer_locked(nxd_channel *channel, nxd_word value, rt_process **other, bool shared);
rt_attempt rt_channel_accept_locked(nxd_channel *channel, nxd_word *value, rt_process **other, bool shared);

// A word of one element type as a word of another: equal, or one of them any. E5002.
nxd_rw rt_channel_convert(NXD_TAKE nxd_word value, int64_t from, int64_t to);

#endif
