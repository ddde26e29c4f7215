// The sockets of a loop: what epoll watches, and what is known of connections that libcurl itself does not look at.
#ifndef CAPIKITCURL_SOCKETS_H
#define CAPIKITCURL_SOCKETS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    // Opened for a connection, unlike the sockets that wake a resolver.
    bool is_connection;
    // No request uses it, so what arrives is nobody's response.
    bool is_idle;
    // libcurl waits for events of it.
    bool is_wanted;
    // Shut down, and not yet closed by libcurl.
    bool is_shut;
    // What epoll watches; 0 if it does not know the socket.
    uint32_t events;
    // The local port, 0 if it has none; connections with the same bucket of ports are linked by `next`.
    int port, next;
    // The other end, as libcurl names it; 0 until that is known.
    int peer_port;
    char peer[46];
    // When bytes last arrived, and since when a request waits for any (0: none does), in milliseconds.
    int64_t heard, asked;
    // The transfer that was last known to use it.
    const void *user;
} acurl_socket;

typedef struct {
    int poll;
    // By descriptor.
    acurl_socket *all;
    int count;
    // The first connection of each bucket, plus one.
    int buckets[256];
} acurl_sockets;

// What libcurl knows of the connection of a transfer.
typedef struct {
    const void *user;
    int port, peer_port;
    const char *peer;
} acurl_route;

int64_t acurl_now(void);
void acurl_sockets_open(acurl_sockets *sockets, int socket);
void acurl_sockets_close(acurl_sockets *sockets, int socket);
void acurl_sockets_watch(acurl_sockets *sockets, int socket, uint32_t events, const void *user);
// Keeps a socket that is not a connection in epoll although libcurl no longer waits for it, if it stays open until it
// is watched again: adding and removing it takes eight times as long as changing it.
bool acurl_sockets_leave(acurl_sockets *sockets, int socket);
// Takes note of an event. Returns whether it is for libcurl.
bool acurl_sockets_hear(acurl_sockets *sockets, int socket, uint32_t events, int64_t now);
// Finds the connection that a transfer uses or has used. Returns -1 if there is none.
int acurl_sockets_find(acurl_sockets *sockets, acurl_route route);
// Watches a connection after its last user has ended.
void acurl_sockets_rest(acurl_sockets *sockets, int socket, const void *user);
// Returns whether a request may be sent on a connection.
bool acurl_sockets_claim(acurl_sockets *sockets, acurl_route route, int *socket);
// Shuts a connection down on which a request has waited that long without a byte.
void acurl_sockets_abandon(acurl_sockets *sockets, int socket, int64_t milliseconds);

#endif
