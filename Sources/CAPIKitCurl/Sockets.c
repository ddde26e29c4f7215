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

// Returns the state of a socket, for which it makes room; NULL if the descriptor is invalid or no memory is left.
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

// Makes epoll watch a socket for events, or remove it if there are no events.
static void poll_for(acurl_sockets *sockets, int socket, uint32_t events) {
    acurl_socket *known = at(sockets, socket);
    if (!known) return;
    // A socket that is not a connection may be closed without notice, and its descriptor be reused for a socket that
    // epoll does not watch. So `known->events` may be wrong for it, and epoll is called even if nothing has changed.
    bool is_reliable = known->is_connection || events == 0;
    if (is_reliable && known->events == events) return;
    struct epoll_event event = {.events = events, .data.fd = socket};
    if (events == 0) {
        epoll_ctl(sockets->poll, EPOLL_CTL_DEL, socket, &event);
    } else {
        // If the first call fails, the socket has been replaced, and the other call is the right one.
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

// Returns the port of an address; 0 for one without ports, such as that of a Unix socket.
static int port_of(const address *address) {
    if (address->any.sa_family == AF_INET) return ntohs(address->v4.sin_port);
    return address->any.sa_family == AF_INET6 ? ntohs(address->v6.sin6_port) : 0;
}

static int local_port(int socket) {
    address address = {0};
    socklen_t size = sizeof address;
    return getsockname(socket, &address.any, &size) == 0 ? port_of(&address) : 0;
}

// Whether a connection is the one that a route describes. The local port is not enough, since connections to different
// servers may have the same one.
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
    // epoll would remove the socket by itself only after all forked processes have closed their copies of it.
    poll_for(sockets, socket, 0);
    unlink_port(sockets, socket);
    *known = (acurl_socket){0};
}

// Notes that a transfer uses a connection, and waits for bytes.
static void use(acurl_socket *known, const void *user) {
    known->is_idle = false;
    known->user = user;
    if (known->waiting_since == 0) known->waiting_since = acurl_now();
}

void acurl_sockets_watch(acurl_sockets *sockets, int socket, uint32_t events, const void *user) {
    acurl_socket *known = at(sockets, socket);
    if (!known) return;
    known->is_wanted = events != 0;
    if (known->is_wanted) use(known, user);
    if (!known->is_connection) return poll_for(sockets, socket, events);
    link_port(sockets, socket);
    // A connection that libcurl does not want any longer stays in epoll for reading: its request has probably ended,
    // after which it is watched for unrequested bytes and soon used again. An unwanted event removes it; see `hear`.
    if (known->is_wanted || known->events & EPOLLOUT) poll_for(sockets, socket, events);
}

bool acurl_sockets_leave(acurl_sockets *sockets, int socket) {
    acurl_socket *known = at(sockets, socket);
    if (!known || known->is_connection) return false;
    known->is_wanted = false;
    return true;
}

// Shuts a connection down, so that libcurl finds it dead and opens another one.
static void shut(acurl_sockets *sockets, int socket) {
    acurl_socket *known = at(sockets, socket);
    if (!known || !known->is_connection || known->is_shut) return;
    known->is_shut = true;
    shutdown(socket, SHUT_RDWR);
    // Some versions of libcurl take a connection for alive as long as there are bytes to read.
    char bytes[4096];
    for (int round = 0; round < 4096 && recv(socket, bytes, sizeof bytes, MSG_DONTWAIT) > 0; round++) continue;
}

bool acurl_sockets_hear(acurl_sockets *sockets, int socket, uint32_t events, int64_t now) {
    acurl_socket *known = at(sockets, socket);
    if (!known) return true;
    if (events & EPOLLIN) {
        known->last_read = now;
        known->waiting_since = 0;
    }
    if (known->is_wanted) return true;
    // On an idle connection, this is an unrequested response (RFC 9112, section 9.2) or the end of the connection. On
    // any other connection, the request is paused.
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
    // The port is negative: an older libcurl does not know the port of a kept connection.
    for (int socket = 0; socket < sockets->count; socket++) {
        const acurl_socket *known = &sockets->all[socket];
        if (known->is_connection && known->user == route.user) return socket;
    }
    return -1;
}

void acurl_sockets_rest(acurl_sockets *sockets, int socket, const void *user) {
    acurl_socket *known = at(sockets, socket);
    // If the user is not the same, another transfer uses the connection already.
    if (!known || !known->is_connection || known->is_shut || known->user != user) return;
    known->is_idle = true;
    known->waiting_since = 0;
    poll_for(sockets, socket, EPOLLIN);
}

// Whether bytes, the end of the connection or an error have arrived.
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
    int64_t silent_since = known->waiting_since != 0 ? known->waiting_since : known->last_read;
    if (acurl_now() - silent_since >= milliseconds) shut(sockets, socket);
}
#endif
