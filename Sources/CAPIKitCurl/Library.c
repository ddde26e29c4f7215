#if defined(__linux__)
#define _GNU_SOURCE
#include "Library.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

// The files in which distributions keep root certificates.
static const char *const root_files[] = {
    "/etc/ssl/certs/ca-certificates.crt",                 // Debian, Ubuntu, Arch, Gentoo
    "/etc/pki/tls/certs/ca-bundle.crt",                   // Fedora, RHEL, Amazon Linux
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",  // Fedora from 43 on
    "/etc/ssl/ca-bundle.pem",                             // openSUSE
    "/etc/ssl/cert.pem",                                  // Alpine
};

const char *acurl_library_roots(const char *file, const char *folder) {
    // libcurl uses the folder only if it has no file.
    const char *used = file ? file : folder;
    if (used && access(used, R_OK) == 0) return NULL;
    for (size_t index = 0; index < sizeof root_files / sizeof *root_files; index++)
        if (access(root_files[index], R_OK) == 0) return root_files[index];
    return NULL;
}

#if ACURL_IS_LINKED
void *acurl_library_open(const char *const *names, char *problem, size_t size) { return (void *)1; }
#else
// Whether the loader's message says that the named library itself is missing, and not another library that it needs.
static bool says_missing(const char *message, const char *name) {
    return strstr(message, name) && strstr(message, "No such file") && !strstr(message, "needed by");
}

void *acurl_library_open(const char *const *names, char *problem, size_t size) {
    // AT_BASE is the address of the program's loader, which a statically linked program does not have.
    const char *need = getauxval(AT_BASE) != 0 ? "" : "; a program linked statically also needs the glibc of its build";
    snprintf(problem, size, "libcurl is missing: install " ACURL_PACKAGES "%s", need);
    bool exists = false;
    for (; *names; names++) {
        void *library = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
        if (library) return library;
        const char *message = dlerror();
        // The first library that exists but cannot be loaded is a better reason than one that is missing.
        if (exists || !message || says_missing(message, *names)) continue;
        exists = true;
        snprintf(problem, size, "libcurl cannot be loaded: %.256s; reinstall " ACURL_PACKAGES "%s", message, need);
    }
    return NULL;
}
#endif
#endif
