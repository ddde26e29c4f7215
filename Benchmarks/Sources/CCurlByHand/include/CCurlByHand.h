// The few functions of libcurl that a client needs, opened at run time, in a form that Swift can call.
#pragma once
#include <stdbool.h>
#include <stddef.h>

#pragma clang assume_nonnull begin

/// Opens libcurl. Every other function needs it.
bool hand_open(void);
/// The versions of libcurl and its libraries.
const char *hand_version(void);

void *hand_easy(size_t (*write)(char *bytes, size_t size, size_t count, void *context));
void hand_set_long(void *easy, int option, long value);
void hand_set_pointer(void *easy, int option, const void *_Nullable value);
long hand_status(void *easy);
void *hand_list(void *_Nullable list, const char *line);

/// Creates a handle for as many connections to a host.
void *hand_multi(long connections);
void hand_add(void *multi, void *easy);
void hand_remove(void *multi, void *easy);
void hand_perform(void *multi);
void hand_poll(void *multi);
void hand_wake(void *multi);
/// The next transfer that has ended, and libcurl's code; NULL if there is none.
void *_Nullable hand_next(void *multi, int *code);

#pragma clang assume_nonnull end
