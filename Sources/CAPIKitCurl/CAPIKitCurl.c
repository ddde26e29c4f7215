// Opens libcurl, and keeps the end of the process from disturbing the threads that use it.
#if defined(__linux__)
#define _GNU_SOURCE
#include "Curl.h"
#include "Library.h"
#include "TLS.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

acurl_functions acurl_curl;
const char *acurl_roots;

// Why libcurl cannot be used, NULL if it can.
static const char *problem;
static unsigned version;

// Each thread that uses libcurl holds this lock for reading. The end of the process takes it for writing, and so waits
// until no thread uses libcurl.
static pthread_rwlock_t use = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
static _Thread_local bool is_using;
static atomic_bool is_exiting;
static pid_t process;

bool acurl_enter(void) {
    pthread_rwlock_rdlock(&use);
    is_using = !is_exiting;
    if (!is_using) pthread_rwlock_unlock(&use);
    return is_using;
}

void acurl_leave(void) {
    is_using = false;
    pthread_rwlock_unlock(&use);
}

void acurl_stay(void) {
    while (true) pause();
}

// Waits at exit until no thread uses libcurl, since OpenSSL then releases memory that a transfer may be using.
static void end_use(void) {
    // A forked process does not have the threads that hold the lock.
    if (getpid() != process) return;
    // If exit was called within a callback of libcurl, this thread itself holds the lock.
    if (is_using) acurl_leave();
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += 10;  // At the start of a handshake all roots may be read, which takes seconds on a busy machine.
    bool is_alone = pthread_rwlock_timedwrlock(&use, &limit) == 0;
    is_exiting = true;
    if (is_alone) pthread_rwlock_unlock(&use);
}

// Finds root certificates if those that libcurl was built to use are missing. Older versions do not say which these
// are.
static void find_roots(void) {
    const char *file = NULL, *folder = NULL;
    acurl_easy *easy = acurl_curl.easy_init();
    if (!easy) return;
    bool is_known = acurl_curl.easy_getinfo(easy, CURLINFO_CAINFO, &file) == 0
        && acurl_curl.easy_getinfo(easy, CURLINFO_CAPATH, &folder) == 0;
    if (is_known) acurl_roots = acurl_library_roots(file, folder);
    acurl_curl.easy_cleanup(easy);
}

// Finds libcurl's functions in the library. Returns whether all of those are there that every supported version has.
static bool find_functions(void *library) {
    bool has_all = true;
#define FIND(name) has_all &= (*(void **)&acurl_curl.name = ACURL_NEED(library, curl_##name)) != NULL
    FIND(global_init), FIND(version_info), FIND(easy_init), FIND(easy_cleanup), FIND(easy_setopt), FIND(easy_getinfo);
    FIND(easy_duphandle), FIND(easy_pause), FIND(easy_strerror), FIND(slist_append), FIND(slist_free_all);
    FIND(multi_init), FIND(multi_cleanup), FIND(multi_setopt), FIND(multi_add_handle), FIND(multi_remove_handle);
    FIND(multi_socket_action), FIND(multi_socket_all), FIND(multi_info_read);
#undef FIND
    // Only newer versions have it.
    *(void **)&acurl_curl.global_trace = ACURL_FIND(library, curl_global_trace);
    return has_all;
}

// Opens and starts libcurl, and sets `problem`, `version` and `acurl_roots`.
static void open_curl(void) {
    static char message[512];
    const char *names[] = {"libcurl.so.4", "libcurl-gnutls.so.4", NULL};
    void *library = acurl_library_open(names, message, sizeof message);
    if (!library) {
        problem = message;
        return;
    }
    bool has_all = find_functions(library);
    acurl_tls_open(library);
    // The default initializes everything, TLS included.
    if (!has_all || acurl_curl.global_init(CURL_GLOBAL_DEFAULT) != 0) {
        problem = "the installed libcurl is incomplete or does not start: reinstall " ACURL_PACKAGES;
        return;
    }
    version = acurl_curl.version_info(CURLVERSION_FIRST)->number;
    // Makes libcurl log HTTP/2 events of verbose transfers: otherwise some versions do not log that a server has
    // refused a stream.
    if (acurl_curl.global_trace) acurl_curl.global_trace("http/2");
    find_roots();
    // Runs before OpenSSL's exit handler, which was added earlier: handlers run in the reverse order.
    process = getpid();
    atexit(end_use);
    bool is_too_old = version < acurl_version_number(7, 76);
    problem = is_too_old ? "the installed libcurl is too old: version 7.76 or newer is needed" : NULL;
}

const char *acurl_open(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_curl);
    return problem;
}

unsigned acurl_version(void) { return version; }
#endif
