// The object by which other threads end a loop's wait.
#ifndef CAPIKITCURL_WAKE_H
#define CAPIKITCURL_WAKE_H

#include <stdatomic.h>
#include <stdbool.h>

// Lets another thread end a loop's wait. If a wake-up were lost, a message would remain unread until a socket or a
// timer ends the wait. No wake-up is lost, for these reasons:
// - A sender adds its message under a lock, and calls `acurl_wake_up` afterwards.
// - The loop calls `acurl_wake_expect` under the same lock, and only if there is no message.
// - The loop takes the messages after each wait, and before it calls `acurl_wake_expect` again. So a message that the
//   loop has not taken before `acurl_wake_expect` is added after it. The message's sender then finds `is_expected` set
//   and ends the wait, or finds it cleared, because another sender has ended the wait or it has ended by itself. In
//   both cases the loop takes the messages before it waits again.
struct acurl_wake {
    // The eventfd that ends the wait.
    int event;
    // Whether the loop waits or is about to, and no sender has ended the wait yet.
    atomic_bool is_expected;
};

#endif
