#if defined(__linux__)
#define _GNU_SOURCE
#include "Library.h"
#include "CAPIKitCurl.h"
#include "Sockets.h"
#include "TLS.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

typedef struct acurl_multi acurl_multi;

typedef struct {
    int kind;
    acurl_easy *easy;
    union {
        void *pointer;
        int code;
    } data;
} message;

// The first members of libcurl's `curl_version_info_data`.
typedef struct {
    int age;
    const char *version;
    unsigned number;
} version_info;

// libcurl's functions. The variadic functions are always called with one argument after the option.
static struct {
    int (*global_init)(long);
    int (*global_trace)(const char *);
    const version_info *(*version_info)(int);
    acurl_easy *(*easy_init)(void);
    acurl_easy *(*easy_duphandle)(acurl_easy *);
    void (*easy_cleanup)(acurl_easy *);
    int (*easy_setopt)(acurl_easy *, int, ...);
    int (*easy_getinfo)(acurl_easy *, int, ...);
    int (*easy_pause)(acurl_easy *, int);
    const char *(*easy_strerror)(int);
    acurl_list *(*slist_append)(acurl_list *, const char *);
    void (*slist_free_all)(acurl_list *);
    acurl_multi *(*multi_init)(void);
    int (*multi_cleanup)(acurl_multi *);
    int (*multi_setopt)(acurl_multi *, int, ...);
    int (*multi_add_handle)(acurl_multi *, acurl_easy *);
    int (*multi_remove_handle)(acurl_multi *, acurl_easy *);
    int (*multi_socket_action)(acurl_multi *, int, int, int *);
    int (*multi_socket_all)(acurl_multi *, int *);
    message *(*multi_info_read)(acurl_multi *, int *);
} curl;

// Why libcurl cannot be used, NULL if it can.
static const char *problem;
static unsigned version;
// The file of root certificates to set, NULL to use libcurl's default.
static const char *roots;

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

// Finds root certificates if those that libcurl was built to use are missing. Before 7.84, libcurl does not say which
// these are.
static void find_roots(void) {
    const char *file = NULL, *folder = NULL;
    acurl_easy *easy = curl.easy_init();
    if (!easy) return;
    if (curl.easy_getinfo(easy, CURLINFO_CAINFO, &file) == 0 && curl.easy_getinfo(easy, CURLINFO_CAPATH, &folder) == 0)
        roots = acurl_library_roots(file, folder);
    curl.easy_cleanup(easy);
}

static void open_curl(void) {
    static char message[512];
    const char *names[] = {"libcurl.so.4", "libcurl-gnutls.so.4", NULL};
    void *library = acurl_library_open(names, message, sizeof message);
    problem = message;
    if (!library) return;
    bool is_whole = true;
#define FIND(name) is_whole &= (*(void **)&curl.name = ACURL_NEED(library, curl_##name)) != NULL
    FIND(global_init), FIND(version_info), FIND(easy_init), FIND(easy_cleanup), FIND(easy_setopt), FIND(easy_getinfo);
    FIND(easy_duphandle), FIND(easy_pause), FIND(easy_strerror), FIND(slist_append), FIND(slist_free_all);
    FIND(multi_init), FIND(multi_cleanup), FIND(multi_setopt), FIND(multi_add_handle), FIND(multi_remove_handle);
    FIND(multi_socket_action), FIND(multi_socket_all), FIND(multi_info_read);
#undef FIND
    acurl_tls_open(library);
    // The default initializes everything, TLS included.
    if (!is_whole || curl.global_init(CURL_GLOBAL_DEFAULT) != 0) {
        problem = "the installed libcurl is incomplete or does not start: reinstall " ACURL_PACKAGES;
        return;
    }
    version = curl.version_info(CURLVERSION_FIRST)->number;
    // From 8.3 on. Makes libcurl log HTTP/2 events of verbose transfers: otherwise some versions do not log that a
    // server has refused a stream.
    *(void **)&curl.global_trace = ACURL_FIND(library, curl_global_trace);
    if (curl.global_trace) curl.global_trace("http/2");
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

// Transfers

static int on_new_socket(void *context, int socket, int purpose);
static int on_old_socket(void *context, int socket);

acurl_easy *acurl_easy_create(acurl_callbacks callbacks, acurl_loop *loop) {
    acurl_easy *easy = curl.easy_init();
    if (!easy) return NULL;
    curl.easy_setopt(easy, CURLOPT_HEADERFUNCTION, callbacks.head);
    curl.easy_setopt(easy, CURLOPT_WRITEFUNCTION, callbacks.write);
    curl.easy_setopt(easy, CURLOPT_READFUNCTION, callbacks.read);
    if (version >= acurl_version_number(7, 80)) curl.easy_setopt(easy, CURLOPT_PREREQFUNCTION, callbacks.ready);
    curl.easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, callbacks.step);
    curl.easy_setopt(easy, CURLOPT_DEBUGFUNCTION, callbacks.debug);
    curl.easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, on_new_socket);
    curl.easy_setopt(easy, CURLOPT_SOCKOPTDATA, loop);
    curl.easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, on_old_socket);
    curl.easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, loop);
    if (roots) curl.easy_setopt(easy, CURLOPT_CAINFO, roots);
    return easy;
}

static bool has(const char *text, size_t size, const char *part) {
    return memmem(text, size < 100 ? size : 100, part, strlen(part)) != NULL;
}

// The texts differ between versions of libcurl. Text from the server may follow libcurl's own words, so only the
// beginning is compared.
bool acurl_says_refused(int kind, const char *text, size_t size) {
    if (kind != CURLINFO_TEXT || size < 20) return false;
    if (*text == 'R') return memcmp(text, "REFUSED_STREAM, retr", 20) == 0;
    if (*text == 'H') return memcmp(text, "HTTP/2 stream ", 14) == 0 && has(text, size, " refused by server");
    return memcmp(text, "[HTTP/2] [", 10) == 0 && has(text, size, "] REFUSED_STREAM, try again");
}

acurl_easy *acurl_easy_copy(acurl_easy *easy) { return curl.easy_duphandle(easy); }
void acurl_easy_destroy(acurl_easy *easy) { curl.easy_cleanup(easy); }

void acurl_set_context(acurl_easy *easy, void *context) {
    // The context of the callbacks for the head, write, read, ready, step and debug, in this order.
    curl.easy_setopt(easy, CURLOPT_HEADERDATA, context);
    curl.easy_setopt(easy, CURLOPT_WRITEDATA, context);
    curl.easy_setopt(easy, CURLOPT_READDATA, context);
    curl.easy_setopt(easy, CURLOPT_PREREQDATA, context);
    curl.easy_setopt(easy, CURLOPT_XFERINFODATA, context);
    curl.easy_setopt(easy, CURLOPT_DEBUGDATA, context);
    curl.easy_setopt(easy, CURLOPT_PRIVATE, context);
}

int acurl_set_long(acurl_easy *easy, int option, long value) { return curl.easy_setopt(easy, option, value); }
int acurl_set_pointer(acurl_easy *easy, int option, const void *value) {
    return curl.easy_setopt(easy, option, value);
}

// Whether the value of an info is a `curl_off_t`, as for times, and not a `long` (`CURLINFO_TYPEMASK`).
static bool is_time(int info) { return (info & 0xF00000) == 0x600000; }

int64_t acurl_get(acurl_easy *easy, int info) {
    union {
        long number;
        int64_t time;
    } value = {0};
    curl.easy_getinfo(easy, info, &value);
    return is_time(info) ? value.time : value.number;
}

const char *acurl_get_text(acurl_easy *easy, int info) {
    const char *text = NULL;
    curl.easy_getinfo(easy, info, &text);
    return text;
}

bool acurl_has_end_of_tls(acurl_easy *easy) {
    acurl_tls_session *session = NULL;
    curl.easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &session);
    return acurl_tls_has_end(session);
}

bool acurl_has_unread(acurl_easy *easy) {
    acurl_tls_session *session = NULL;
    long http = 0;
    curl.easy_getinfo(easy, CURLINFO_HTTP_VERSION, &http);
    curl.easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &session);
    return http < CURL_HTTP_VERSION_2_0 && acurl_tls_has_unread(session);
}

void acurl_continue(acurl_easy *easy) { curl.easy_pause(easy, CURLPAUSE_CONT); }
const char *acurl_message(int code) { return curl.easy_strerror(code); }
bool acurl_has_free_descriptor(void) {
    int descriptor = eventfd(0, EFD_CLOEXEC);
    if (descriptor < 0) return errno != EMFILE && errno != ENFILE;
    close(descriptor);
    return true;
}

acurl_list *acurl_list_append(acurl_list *list, const char *line) { return curl.slist_append(list, line); }
void acurl_list_destroy(acurl_list *list) { curl.slist_free_all(list); }

// The loop

// Lets another thread end a loop's wait. If a wake-up were lost, a message would remain unread until a socket or a
// timer ends the wait. No wake-up is lost, for these reasons:
// - A sender adds its message under a lock, and calls `acurl_wake_up` afterwards.
// - The loop calls `acurl_wake_expect` under the same lock, and only if there is no message.
// - The loop takes the messages after each wait, and before it calls `acurl_wake_expect` again. So a message that the
//   loop has not taken before `acurl_wake_expect` is added after it. The message's sender then finds `is_expected` set
//   and ends the wait, or finds it cleared, because another sender has ended the wait or it has ended by itself. In
//   both cases the loop takes the messages before it waits again.
struct acurl_wake {
    int event;
    // Whether the loop waits or is about to, and no sender has ended the wait yet.
    atomic_bool is_expected;
};

acurl_wake *acurl_wake_create(void) {
    acurl_wake *wake = calloc(1, sizeof(acurl_wake));
    if (!wake) return NULL;
    wake->event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (wake->event >= 0) return wake;
    free(wake);
    return NULL;
}

void acurl_wake_destroy(acurl_wake *wake) {
    close(wake->event);
    free(wake);
}

void acurl_wake_expect(acurl_wake *wake) { atomic_store(&wake->is_expected, true); }

void acurl_wake_up(acurl_wake *wake) {
    uint64_t one = 1;
    if (atomic_exchange(&wake->is_expected, false)) (void)!write(wake->event, &one, sizeof one);
}

struct acurl_loop {
    acurl_multi *multi;
    acurl_sockets sockets;
    acurl_wake *wake;
    int64_t timer;  // When libcurl needs to be called even without events of sockets; -1 for never.
};

static int64_t now(void) { return acurl_now(); }

static int on_new_socket(void *context, int socket, int purpose) {
    acurl_sockets_open(&((acurl_loop *)context)->sockets, socket);
    // A child process that runs another program must not keep the connection open.
    fcntl(socket, F_SETFD, FD_CLOEXEC);
    return 0;
}

static int on_old_socket(void *context, int socket) {
    acurl_sockets_close(&((acurl_loop *)context)->sockets, socket);
    return close(socket);
}

// Whether a handle is one that libcurl has created for itself, and which therefore has no context.
//
// With such a handle, recent versions wait for the threads that look names up. They wait on a socket that exists as
// long as the multi handle does, and only while there are transfers.
static bool is_internal(acurl_easy *easy) {
    void *context = NULL;
    curl.easy_getinfo(easy, CURLINFO_PRIVATE, &context);
    return !context;
}

static int on_socket(acurl_easy *easy, int socket, int what, void *context, void *known) {
    acurl_sockets *sockets = &((acurl_loop *)context)->sockets;
    uint32_t events = 0;
    if (what != CURL_POLL_REMOVE) {
        if (what & CURL_POLL_IN) events |= EPOLLIN;
        if (what & CURL_POLL_OUT) events |= EPOLLOUT;
    }
    if (events == 0 && is_internal(easy) && acurl_sockets_leave(sockets, socket)) return 0;
    acurl_sockets_watch(sockets, socket, events, easy);
    return 0;
}

static int on_timer(acurl_multi *multi, long milliseconds, void *context) {
    ((acurl_loop *)context)->timer = milliseconds < 0 ? -1 : now() + milliseconds;
    return 0;
}

acurl_loop *acurl_loop_create(acurl_wake *wake) {
    acurl_loop *loop = calloc(1, sizeof(acurl_loop));
    if (!loop) return NULL;
    loop->timer = -1;
    loop->wake = wake;
    int poll = loop->sockets.poll = epoll_create1(EPOLL_CLOEXEC);
    // Edge-triggered: each write to the eventfd is an event, although its counter is never read and so never reset.
    struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.fd = wake->event};
    if (poll >= 0 && epoll_ctl(poll, EPOLL_CTL_ADD, wake->event, &event) == 0) loop->multi = curl.multi_init();
    if (!loop->multi) {
        acurl_loop_destroy(loop);
        return NULL;
    }
    curl.multi_setopt(loop->multi, CURLMOPT_SOCKETFUNCTION, on_socket);
    curl.multi_setopt(loop->multi, CURLMOPT_SOCKETDATA, loop);
    curl.multi_setopt(loop->multi, CURLMOPT_TIMERFUNCTION, on_timer);
    curl.multi_setopt(loop->multi, CURLMOPT_TIMERDATA, loop);
    return loop;
}

void acurl_loop_destroy(acurl_loop *loop) {
    if (loop->multi) curl.multi_cleanup(loop->multi);
    if (loop->sockets.poll >= 0) close(loop->sockets.poll);
    free(loop->sockets.all);
    free(loop);
    acurl_tls_end_thread();
}

int acurl_loop_set_long(acurl_loop *loop, int option, long value) {
    return curl.multi_setopt(loop->multi, option, value);
}

int acurl_loop_add(acurl_loop *loop, acurl_easy *easy) { return curl.multi_add_handle(loop->multi, easy); }
void acurl_loop_remove(acurl_loop *loop, acurl_easy *easy) { curl.multi_remove_handle(loop->multi, easy); }

void acurl_loop_act(acurl_loop *loop) {
    int running;
    if (loop->timer < 0 || loop->timer > now()) return;
    loop->timer = -1;
    curl.multi_socket_action(loop->multi, CURL_SOCKET_TIMEOUT, 0, &running);
}

void acurl_loop_act_on_all(acurl_loop *loop) {
    int running;
    curl.multi_socket_all(loop->multi, &running);
}

// Converts events of epoll to libcurl's.
static int curl_events(uint32_t events) {
    int result = 0;
    if (events & (EPOLLIN | EPOLLHUP)) result |= CURL_CSELECT_IN;
    if (events & EPOLLOUT) result |= CURL_CSELECT_OUT;
    if (events & EPOLLERR) result |= CURL_CSELECT_ERR;
    return result;
}

// Returns the time until libcurl's timer, but at most the given time. For both, -1 means no limit.
static int time_to_wait(const acurl_loop *loop, int milliseconds) {
    if (loop->timer < 0) return milliseconds;
    int64_t left = loop->timer - now();
    if (left < 0) left = 0;
    return milliseconds < 0 || left < milliseconds ? (int)left : milliseconds;
}

acurl_wait acurl_loop_wait(acurl_loop *loop, int milliseconds) {
    enum { event_limit = 64 };
    struct epoll_event events[event_limit];
    int longest_wait = time_to_wait(loop, milliseconds);
    acurl_leave();
    int count = epoll_wait(loop->sockets.poll, events, event_limit, longest_wait);
    // The wait fails if the process was stopped meanwhile. Bytes that have arrived since then have to be read before
    // libcurl's timers run out, so the sockets are looked at again.
    if (count < 0) count = epoll_wait(loop->sockets.poll, events, event_limit, 0);
    atomic_store(&loop->wake->is_expected, false);
    if (!acurl_enter()) return acurl_exiting;
    int64_t time = now();
    for (int index = 0; index < count; index++) {
        int socket = events[index].data.fd, running;
        uint32_t what = events[index].events;
        if (socket == loop->wake->event) continue;
        if (acurl_sockets_hear(&loop->sockets, socket, what, time)) {
            curl.multi_socket_action(loop->multi, socket, curl_events(what), &running);
        }
    }
    acurl_loop_act(loop);
    return count == event_limit ? acurl_has_more : acurl_has_all;
}

static acurl_route route_of(acurl_easy *easy) {
    acurl_route route = {
        .user = easy,
        .port = (int)acurl_get(easy, CURLINFO_LOCAL_PORT),
        .peer_port = (int)acurl_get(easy, CURLINFO_PRIMARY_PORT),
    };
    curl.easy_getinfo(easy, CURLINFO_PRIMARY_IP, &route.peer);
    return route;
}

static int socket_of(acurl_loop *loop, acurl_easy *easy) {
    return acurl_sockets_find(&loop->sockets, route_of(easy));
}

bool acurl_loop_claim(acurl_loop *loop, acurl_easy *easy, const char *peer, int peer_port, int port, int *socket) {
    acurl_route route = {.user = easy, .port = port, .peer_port = peer_port, .peer = peer};
    return acurl_sockets_claim(&loop->sockets, route, socket);
}

void acurl_loop_rest(acurl_loop *loop, acurl_easy *easy, int socket) {
    acurl_sockets_rest(&loop->sockets, socket, easy);
}

void acurl_loop_abandon(acurl_loop *loop, acurl_easy *easy, int64_t milliseconds) {
    acurl_sockets_abandon(&loop->sockets, socket_of(loop, easy), milliseconds);
}

void *acurl_loop_next(acurl_loop *loop, int *code) {
    int left;
    void *context = NULL;
    message *message;
    while ((message = curl.multi_info_read(loop->multi, &left))) {
        if (message->kind != CURLMSG_DONE) continue;
        *code = message->data.code;
        curl.easy_getinfo(message->easy, CURLINFO_PRIVATE, &context);
        return context;
    }
    return NULL;
}

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
