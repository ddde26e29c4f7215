#if defined(__linux__)
#define _GNU_SOURCE
#include "CAPIKitCurl.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

struct start {
    void (*run)(void *);
    void *context;
};

static void *run_thread(void *argument) {
    struct start start = *(struct start *)argument;
    free(argument);
    start.run(start.context);
    return NULL;
}

bool acurl_start_thread(void (*run)(void *), void *context) {
    struct start *start = malloc(sizeof *start);
    if (!start) return false;
    *start = (struct start){run, context};
    // The thread blocks all signals. Writing to a broken connection raises SIGPIPE, which would end the process, and
    // some TLS libraries cannot prevent it.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread;
    bool has_started = pthread_create(&thread, NULL, run_thread, start) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!has_started) {
        free(start);
        return false;
    }
    pthread_setname_np(thread, "APIKitCurl");
    pthread_detach(thread);
    return true;
}
#endif
