#if defined(__linux__)
#define _GNU_SOURCE
#include "Library.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>

// Whether a loader's message says that there is no library of a name, and not that one which this needs is missing.
static bool says_missing(const char *message, const char *name) {
    return strstr(message, name) && strstr(message, "No such file") && !strstr(message, "needed by");
}

void *acurl_library_open(const char *const *names, char *problem, size_t size) {
    const char *missing = "libcurl is missing: install libcurl4 (Debian, Ubuntu), libcurl (Fedora, RHEL, Alpine) or curl";
    // A program without a loader (AT_BASE) is static.
    const char *need = getauxval(AT_BASE) != 0 ? ""
        : "; a program linked statically also needs the glibc of its build, and with musl cannot load libraries";
    snprintf(problem, size, "%s%s", missing, need);
    bool exists = false;
    for (; *names; names++) {
        void *library = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
        if (library) return library;
        const char *message = dlerror();
        if (exists || !message || says_missing(message, *names)) continue;
        exists = true;
        snprintf(problem, size, "libcurl cannot be loaded: %.256s%s", message, need);
    }
    return NULL;
}
#endif
