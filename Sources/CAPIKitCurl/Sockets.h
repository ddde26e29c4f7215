// The sockets of a loop: which events epoll watches, and the state of connections while libcurl does not look at them.
#ifndef CAPIKITCURL_SOCKETS_H
#define CAPIKITCURL_SOCKETS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    // Whether the socket is a connection. libcurl also opens sockets to be woken by the threads that look names up.
    bool is_connection;
    // Whether no request uses the connection, so that bytes that arrive are not the response to any request.
    bool is_idle;
    // Whether libcurl waits for events of the socket.
    bool is_wanted;
    // Whether the connection was shut down, but libcurl has not closed the socket yet.
    bool is_shut;
    // The events that epoll watches; 0 if the socket was not added to epoll.
    uint32_t events;
    // The local port; 0 if it is not known, or the socket has none.
    int port;
    // The next connection in the same bucket of ports, as in `buckets`; 0 at the end.
    int next;
    // The port and the address of the peer, in libcurl's format; 0 and empty until they are needed.
    int peer_port;
    char peer[46];
    // When bytes last arrived, in milliseconds.
    int64_t last_read;
    // Since when a request waits for bytes, in milliseconds; 0 if no request does.
    int64_t waiting_since;
    // The transfer that last used the connection.
    const void *user;
} acurl_socket;

typedef struct {
    int poll;
    // All sockets; the descriptor is the index.
    acurl_socket *all;
    int count;
    // Connections by the last 8 bits of their local port. Each bucket has the descriptor of its first connection plus
    // one, so that 0 means an empty bucket.
    int buckets[256];
} acurl_sockets;

// The connection of a transfer, as libcurl describes it. An older libcurl does not know the local port of a kept
// connection; it is negative then.
typedef struct {
    const void *user;
    int port, peer_port;
    const char *peer;
} acurl_route;

int64_t acurl_now(void);
void acurl_sockets_open(acurl_sockets *sockets, int socket);
void acurl_sockets_close(acurl_sockets *sockets, int socket);
void acurl_sockets_watch(acurl_sockets *sockets, int socket, uint32_t events, const void *user);
// Notes that libcurl no longer waits for a socket that is not a connection, but leaves the socket in epoll. Only for a
// socket that stays open until it is watched again. Adding and removing it takes much longer than changing it.
// Returns false, and does nothing, for a connection.
bool acurl_sockets_leave(acurl_sockets *sockets, int socket);
// Notes an event. Returns whether to pass it on to libcurl.
bool acurl_sockets_hear(acurl_sockets *sockets, int socket, uint32_t events, int64_t now);
// Finds the connection that a transfer uses or has used. Returns its descriptor, or -1 if it is not known.
int acurl_sockets_find(acurl_sockets *sockets, acurl_route route);
// Marks a connection as idle after the transfer that used it has ended, and watches it.
void acurl_sockets_rest(acurl_sockets *sockets, int socket, const void *user);
// Marks the connection of a route as used by the route's transfer, and stores its descriptor, or -1 if it is not known.
// Returns whether a request may be sent on it. If unrequested bytes have arrived, shuts the connection down instead.
bool acurl_sockets_claim(acurl_sockets *sockets, acurl_route route, int *socket);
// Shuts a connection down if no bytes have arrived for at least the given time while a request waited for them.
void acurl_sockets_abandon(acurl_sockets *sockets, int socket, int64_t milliseconds);

#endif
