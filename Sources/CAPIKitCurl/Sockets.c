#if defined(__linux__)
#define _GNU_SOURCE
#include "Sockets.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>

int64_t acurl_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static acurl_socket *at(acurl_sockets *sockets, int socket) {
    if (socket < 0) return NULL;
    if (socket >= sockets->count) {
        int count = (socket + 64) * 2;
        acurl_socket *all = realloc(sockets->all, (size_t)count * sizeof *all);
        if (!all) return NULL;
        memset(all + sockets->count, 0, (size_t)(count - sockets->count) * sizeof *all);
        sockets->all = all;
        sockets->count = count;
    }
    return &sockets->all[socket];
}

static void poll_for(acurl_sockets *sockets, int socket, uint32_t events) {
    acurl_socket *known = at(sockets, socket);
    // A socket that is not a connection may be closed without notice. Its number may then be that of another one, which
    // epoll does not know: it is added below if it cannot be changed.
    if (!known || (known->events == events && (known->is_connection || events == 0))) return;
    struct epoll_event event = {.events = events, .data.fd = socket};
    if (events == 0) {
        epoll_ctl(sockets->poll, EPOLL_CTL_DEL, socket, &event);
    } else {
        bool is_new = known->events == 0;
        int likely = is_new ? EPOLL_CTL_ADD : EPOLL_CTL_MOD;
        int other = is_new ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
        if (epoll_ctl(sockets->poll, likely, socket, &event) != 0) epoll_ctl(sockets->poll, other, socket, &event);
    }
    known->events = events;
}

// Local ports

typedef union {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
    struct sockaddr_storage largest;
} address;

// 0 for what has no ports, such as Unix sockets.
static int port_of(const address *address) {
    if (address->any.sa_family == AF_INET) return ntohs(address->v4.sin_port);
    return address->any.sa_family == AF_INET6 ? ntohs(address->v6.sin6_port) : 0;
}

static int local_port(int socket) {
    address address = {0};
    socklen_t size = sizeof address;
    return getsockname(socket, &address.any, &size) == 0 ? port_of(&address) : 0;
}

// Whether a connection is a route's. Those to several servers may have the same local port.
static bool is_at(acurl_sockets *sockets, int socket, acurl_route route) {
    acurl_socket *known = &sockets->all[socket];
    address address = {0};
    socklen_t size = sizeof address;
    if (known->port != route.port) return false;
    if (known->peer_port == 0 && getpeername(socket, &address.any, &size) == 0) {
        bool is_v4 = address.any.sa_family == AF_INET;
        const void *host = is_v4 ? (const void *)&address.v4.sin_addr : (const void *)&address.v6.sin6_addr;
        inet_ntop(address.any.sa_family, host, known->peer, sizeof known->peer);
        known->peer_port = port_of(&address);
    }
    return known->peer_port == route.peer_port && route.peer && strcmp(known->peer, route.peer) == 0;
}

static int *bucket(acurl_sockets *sockets, int port) { return &sockets->buckets[port & 255]; }

static void link_port(acurl_sockets *sockets, int socket) {
    acurl_socket *known = &sockets->all[socket];
    if (known->port != 0) return;
    known->port = local_port(socket);
    if (known->port == 0) return;
    known->next = *bucket(sockets, known->port);
    *bucket(sockets, known->port) = socket + 1;
}

static void unlink_port(acurl_sockets *sockets, int socket) {
    acurl_socket *known = &sockets->all[socket];
    if (known->port == 0) return;
    int *link = bucket(sockets, known->port);
    while (*link && *link != socket + 1) link = &sockets->all[*link - 1].next;
    if (*link) *link = known->next;
}

// Connections

void acurl_sockets_open(acurl_sockets *sockets, int socket) {
    acurl_sockets_close(sockets, socket);
    acurl_socket *known = at(sockets, socket);
    if (known) known->is_connection = true;
}

void acurl_sockets_close(acurl_sockets *sockets, int socket) {
    acurl_socket *known = at(sockets, socket);
    if (!known) return;
    // By itself, epoll would forget it only once no process that was forked meanwhile has it.
    poll_for(sockets, socket, 0);
    unlink_port(sockets, socket);
    *known = (acurl_socket){0};
}

static void use(acurl_socket *known, const void *user) {
    known->is_idle = false;
    known->user = user;
    if (known->asked == 0) known->asked = acurl_now();
}

void acurl_sockets_watch(acurl_sockets *sockets, int socket, uint32_t events, const void *user) {
    acurl_socket *known = at(sockets, socket);
    if (!known) return;
    known->is_wanted = events != 0;
    if (known->is_wanted) use(known, user);
    if (!known->is_connection) return poll_for(sockets, socket, events);
    link_port(sockets, socket);
    // A connection whose request has ended will be watched all the same, and is soon wanted again.
    if (known->is_wanted || known->events & EPOLLOUT) poll_for(sockets, socket, events);
}

bool acurl_sockets_leave(acurl_sockets *sockets, int socket) {
    acurl_socket *known = at(sockets, socket);
    if (!known || known->is_connection) return false;
    known->is_wanted = false;
    return true;
}

// Never uses a connection again: libcurl finds it dead, and opens another one.
static void shut(acurl_sockets *sockets, int socket) {
    acurl_socket *known = at(sockets, socket);
    if (!known || !known->is_connection || known->is_shut) return;
    known->is_shut = true;
    shutdown(socket, SHUT_RDWR);
    // Some versions take a connection for alive as long as it has something to read.
    char bytes[4096];
    for (int round = 0; round < 4096 && recv(socket, bytes, sizeof bytes, MSG_DONTWAIT) > 0; round++) continue;
}

bool acurl_sockets_hear(acurl_sockets *sockets, int socket, uint32_t events, int64_t now) {
    acurl_socket *known = at(sockets, socket);
    if (!known) return true;
    if (events & EPOLLIN) {
        known->heard = now;
        known->asked = 0;
    }
    if (known->is_wanted) return true;
    // A response that nobody has asked for (RFC 9112, section 9.2), or the end; or the request is paused.
    if (known->is_idle) shut(sockets, socket);
    poll_for(sockets, socket, 0);
    return false;
}

int acurl_sockets_find(acurl_sockets *sockets, acurl_route route) {
    if (route.port > 0) {
        int socket = *bucket(sockets, route.port) - 1;
        while (socket >= 0 && !is_at(sockets, socket, route)) socket = sockets->all[socket].next - 1;
        return socket;
    }
    if (route.port == 0) return -1;
    // Before 7.80 libcurl does not know the port of a kept connection.
    for (int socket = 0; socket < sockets->count; socket++) {
        const acurl_socket *known = &sockets->all[socket];
        if (known->is_connection && known->user == route.user) return socket;
    }
    return -1;
}

void acurl_sockets_rest(acurl_sockets *sockets, int socket, const void *user) {
    acurl_socket *known = at(sockets, socket);
    // Another transfer may use it already.
    if (!known || !known->is_connection || known->is_shut || known->user != user) return;
    known->is_idle = true;
    known->asked = 0;
    poll_for(sockets, socket, EPOLLIN);
}

// Whether the system has bytes, the end or an error for a connection on which nothing is expected.
static bool has_something(int socket) {
    char byte;
    return recv(socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) >= 0 || (errno != EAGAIN && errno != EINTR);
}

bool acurl_sockets_claim(acurl_sockets *sockets, acurl_route route, int *socket) {
    *socket = acurl_sockets_find(sockets, route);
    if (*socket < 0) return true;
    acurl_socket *known = &sockets->all[*socket];
    if (known->is_idle && has_something(*socket)) shut(sockets, *socket);
    use(known, route.user);
    return !known->is_shut;
}

void acurl_sockets_abandon(acurl_sockets *sockets, int socket, int64_t milliseconds) {
    acurl_socket *known = at(sockets, socket);
    if (!known || !known->user) return;
    int64_t since = known->asked != 0 ? known->asked : known->heard;
    if (acurl_now() - since >= milliseconds) shut(sockets, socket);
}
#endif
