#ifndef CAPIKITCURL_LIBRARY_H
#define CAPIKITCURL_LIBRARY_H

#include <dlfcn.h>
#include <stddef.h>

// Whether libcurl, and what it uses, is linked with the program instead of opened at run time: with musl, as in Swift's
// static SDK, since a static program cannot open libraries there; and where the compiler is told so.
#ifndef ACURL_IS_LINKED
#if defined(__GLIBC__) || defined(__ANDROID__)
#define ACURL_IS_LINKED 0
#else
#define ACURL_IS_LINKED 1
#pragma comment(lib, "curl")
#pragma comment(lib, "ssl")
#pragma comment(lib, "crypto")
#pragma comment(lib, "z")
#endif
#endif

// A function of a library; NULL if it lacks it. One that is needed must be there where libraries are linked.
#if ACURL_IS_LINKED
#define ACURL_LOAD(file) ((void *)1)
#define ACURL_FIND(library, name) ({ extern void name(void) __attribute__((weak)); (void *)name; })
#define ACURL_NEED(library, name) ({ extern void name(void); (void *)name; })
#else
#define ACURL_LOAD(file) dlopen(file, RTLD_NOW | RTLD_LOCAL)
#define ACURL_FIND(library, name) dlsym(library, #name)
#define ACURL_NEED(library, name) dlsym(library, #name)
#endif

// What to install.
#define ACURL_PACKAGES "libcurl4 (Debian, Ubuntu) or libcurl (Fedora, RHEL, Alpine)"

// Opens libcurl by the first of several names. If that fails, returns NULL and writes why, as one line for a user.
void *acurl_library_open(const char *const *names, char *problem, size_t size);
// The file of root certificates to use instead of those that libcurl was built to read, if these are missing here; NULL
// if they are there, or there is no other.
const char *acurl_library_roots(const char *file, const char *folder);

#endif
