#ifndef CAPIKITCURL_LIBRARY_H
#define CAPIKITCURL_LIBRARY_H

#include <stddef.h>

// Opens libcurl by the first of several names. If that fails, returns NULL and writes why, as one line for a user.
void *acurl_library_open(const char *const *names, char *problem, size_t size);

#endif
