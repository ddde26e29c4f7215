// What handles need of a loop: the callbacks by which libcurl says that it opens and closes a socket.
#ifndef CAPIKITCURL_LOOP_H
#define CAPIKITCURL_LOOP_H

// Adds a socket that libcurl has opened to those of a loop, which is the context. Returns 0.
int acurl_loop_add_socket(void *loop, int socket, int purpose);
// Removes a socket from those of a loop, and closes it. Returns the result of `close`.
int acurl_loop_close_socket(void *loop, int socket);

#endif
