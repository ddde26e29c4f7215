// The loop: libcurl's multi handle, which waits for its sockets with epoll.
#if defined(__linux__)
#define _GNU_SOURCE
#include "Loop.h"
#include "Curl.h"
#include "Sockets.h"
#include "TLS.h"
#include "Wake.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

struct acurl_loop {
    acurl_multi *multi;
    acurl_sockets sockets;
    acurl_wake *wake;
    int64_t timer;  // When libcurl needs to be called even without events of sockets; -1 for never.
};

static int64_t now(void) { return acurl_now(); }

int acurl_loop_add_socket(void *context, int socket, int purpose) {
    acurl_sockets_open(&((acurl_loop *)context)->sockets, socket);
    // A child process that runs another program must not keep the connection open.
    fcntl(socket, F_SETFD, FD_CLOEXEC);
    return 0;
}

int acurl_loop_close_socket(void *context, int socket) {
    acurl_sockets_close(&((acurl_loop *)context)->sockets, socket);
    return close(socket);
}

// Whether a handle is one that libcurl has created for itself, and which therefore has no context.
//
// With such a handle, recent versions wait for the threads that look names up. They wait on a socket that exists as
// long as the multi handle does, and only while there are transfers.
static bool is_internal(acurl_easy *easy) {
    void *context = NULL;
    acurl_curl.easy_getinfo(easy, CURLINFO_PRIVATE, &context);
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
    if (poll >= 0 && epoll_ctl(poll, EPOLL_CTL_ADD, wake->event, &event) == 0) loop->multi = acurl_curl.multi_init();
    if (!loop->multi) {
        acurl_loop_destroy(loop);
        return NULL;
    }
    acurl_curl.multi_setopt(loop->multi, CURLMOPT_SOCKETFUNCTION, on_socket);
    acurl_curl.multi_setopt(loop->multi, CURLMOPT_SOCKETDATA, loop);
    acurl_curl.multi_setopt(loop->multi, CURLMOPT_TIMERFUNCTION, on_timer);
    acurl_curl.multi_setopt(loop->multi, CURLMOPT_TIMERDATA, loop);
    return loop;
}

void acurl_loop_destroy(acurl_loop *loop) {
    if (loop->multi) acurl_curl.multi_cleanup(loop->multi);
    if (loop->sockets.poll >= 0) close(loop->sockets.poll);
    free(loop->sockets.all);
    free(loop);
    acurl_tls_end_thread();
}

int acurl_loop_set_long(acurl_loop *loop, int option, long value) {
    return acurl_curl.multi_setopt(loop->multi, option, value);
}

int acurl_loop_add(acurl_loop *loop, acurl_easy *easy) { return acurl_curl.multi_add_handle(loop->multi, easy); }
void acurl_loop_remove(acurl_loop *loop, acurl_easy *easy) { acurl_curl.multi_remove_handle(loop->multi, easy); }

void acurl_loop_act(acurl_loop *loop) {
    int running;
    if (loop->timer < 0 || loop->timer > now()) return;
    loop->timer = -1;
    acurl_curl.multi_socket_action(loop->multi, CURL_SOCKET_TIMEOUT, 0, &running);
}

void acurl_loop_act_on_all(acurl_loop *loop) {
    int running;
    acurl_curl.multi_socket_all(loop->multi, &running);
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
    struct epoll_event events[acurl_sockets_per_wait];
    int longest_wait = time_to_wait(loop, milliseconds);
    acurl_leave();
    int count = epoll_wait(loop->sockets.poll, events, acurl_sockets_per_wait, longest_wait);
    // The wait fails if the process was stopped meanwhile. Bytes that have arrived since then have to be read before
    // libcurl's timers run out, so the sockets are looked at again.
    if (count < 0) count = epoll_wait(loop->sockets.poll, events, acurl_sockets_per_wait, 0);
    atomic_store(&loop->wake->is_expected, false);
    if (!acurl_enter()) return acurl_exiting;
    int64_t time = now();
    for (int index = 0; index < count; index++) {
        int socket = events[index].data.fd, running;
        uint32_t what = events[index].events;
        if (socket == loop->wake->event) continue;
        if (acurl_sockets_hear(&loop->sockets, socket, what, time)) {
            acurl_curl.multi_socket_action(loop->multi, socket, curl_events(what), &running);
        }
    }
    acurl_loop_act(loop);
    return count == acurl_sockets_per_wait ? acurl_has_more : acurl_has_all;
}

static acurl_route route_of(acurl_easy *easy) {
    acurl_route route = {
        .user = easy,
        .port = (int)acurl_get(easy, CURLINFO_LOCAL_PORT),
        .peer_port = (int)acurl_get(easy, CURLINFO_PRIMARY_PORT),
    };
    acurl_curl.easy_getinfo(easy, CURLINFO_PRIMARY_IP, &route.peer);
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
    acurl_message_info *message;
    while ((message = acurl_curl.multi_info_read(loop->multi, &left))) {
        if (message->kind != CURLMSG_DONE) continue;
        *code = message->data.code;
        acurl_curl.easy_getinfo(message->easy, CURLINFO_PRIVATE, &context);
        return context;
    }
    return NULL;
}
#endif
