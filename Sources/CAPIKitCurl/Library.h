#ifndef CAPIKITCURL_LIBRARY_H
#define CAPIKITCURL_LIBRARY_H

#include <dlfcn.h>
#include <stddef.h>

// Whether libcurl and the libraries that it uses are linked with the program, instead of opened at run time. They are
// linked with musl, as in Swift's static SDK, since a static program cannot open libraries there. A compiler flag can
// set the macro too.
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

// `ACURL_FIND` and `ACURL_NEED` return a function of a library, or NULL if the library does not have it. If libraries
// are linked, a program cannot be linked without a needed function.
#if ACURL_IS_LINKED
#define ACURL_LOAD(file) ((void *)1)
#define ACURL_FIND(library, name) ({ extern void name(void) __attribute__((weak)); (void *)name; })
#define ACURL_NEED(library, name) ({ extern void name(void); (void *)name; })
#else
#define ACURL_LOAD(file) dlopen(file, RTLD_NOW | RTLD_LOCAL)
#define ACURL_FIND(library, name) dlsym(library, #name)
#define ACURL_NEED(library, name) dlsym(library, #name)
#endif

// The packages to install if libcurl is missing.
#define ACURL_PACKAGES "libcurl4 (Debian, Ubuntu) or libcurl (Fedora, RHEL, Alpine)"

// Opens libcurl by the first of several file names that can be opened; the last name is followed by NULL. If all fail,
// returns NULL and writes the reason to `problem`, as one line for a user.
void *acurl_library_open(const char *const *names, char *problem, size_t size);
// Returns the file of root certificates to use if the file and the folder that libcurl was built to read are missing on
// this system. Returns NULL if they exist, or no other file was found.
const char *acurl_library_roots(const char *file, const char *folder);

#endif
