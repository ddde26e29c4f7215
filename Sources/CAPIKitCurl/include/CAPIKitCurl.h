// libcurl's functions for Swift. Swift cannot call the variadic functions by which libcurl sets options. libcurl is
// opened at run time, and its headers are not needed, since its names and numbers have not changed since 2006.
#ifndef CAPIKITCURL_H
#define CAPIKITCURL_H
#if defined(__linux__)

#include "CurlNumbers.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#pragma clang assume_nonnull begin

typedef struct acurl_easy acurl_easy;
typedef struct acurl_list acurl_list;
typedef struct acurl_loop acurl_loop;
typedef struct acurl_wake acurl_wake;
typedef struct acurl_decoder acurl_decoder;

/// Opens libcurl, if that was not done before. All other functions may only be called after this one has succeeded.
/// Returns NULL, or the reason why libcurl cannot be used.
const char *_Nullable acurl_open(void);
/// The version of libcurl as a number: 0x075801 is 7.88.1.
unsigned acurl_version(void);
/// Returns a version as a number that can be compared with that of `acurl_version`.
static inline unsigned acurl_version_number(unsigned major, unsigned minor) { return major << 16 | minor << 8; }
/// Begins the use of libcurl on a thread. The thread must call `acurl_leave` whenever it waits, since the process can
/// only end while no thread uses libcurl. Returns false if the process is about to end; libcurl must not be used then.
bool acurl_enter(void);
/// Ends the use of libcurl on a thread, until it calls `acurl_enter` again.
void acurl_leave(void);
/// Waits until the process has ended. If the thread ended instead, OpenSSL would release the memory that it has for the
/// thread, while the end of the process may be releasing it too.
_Noreturn void acurl_stay(void);

// Transfers (easy handles)

/// The callbacks of a transfer. As in libcurl, the context is the last argument of some and the first of others.
typedef struct {
    size_t (*head)(char *line, size_t size, size_t count, void *context);
    size_t (*write)(char *bytes, size_t size, size_t count, void *context);
    size_t (*read)(char *buffer, size_t size, size_t count, void *context);
    /// Called before each attempt to send the request; never called by older versions.
    int (*ready)(void *context, char *_Nullable peer, char *_Nullable address, int peer_port, int port);
    /// Called after each step and at the end, unless the option `CURLOPT_NOPROGRESS` is set.
    int (*step)(void *context, int64_t, int64_t, int64_t, int64_t);
    /// Called with libcurl's log if the option `CURLOPT_VERBOSE` is set.
    int (*debug)(acurl_easy *easy, int kind, char *text, size_t size, void *context);
} acurl_callbacks;

/// Whether a text of libcurl's log means that the server has refused a stream without processing it.
bool acurl_says_refused(int kind, const char *text, size_t size);
/// Creates a transfer of a loop.
acurl_easy *_Nullable acurl_easy_create(acurl_callbacks callbacks, acurl_loop *loop);
/// Creates a transfer with the same options, but without a context.
acurl_easy *_Nullable acurl_easy_copy(acurl_easy *easy);
void acurl_easy_destroy(acurl_easy *easy);
/// Sets the context that callbacks get, and that `acurl_loop_next` returns.
void acurl_set_context(acurl_easy *easy, void *_Nullable context);
/// Sets an option to a number. Returns 0 or libcurl's code, which is `CURLE_UNKNOWN_OPTION` for an option that this
/// version does not have.
int acurl_set_long(acurl_easy *easy, int option, long value);
/// Sets an option to a text or another pointer, and returns the same as `acurl_set_long`.
int acurl_set_pointer(acurl_easy *easy, int option, const void *_Nullable value);
/// Returns a number that libcurl has about a transfer, for an info of the type `long` or `curl_off_t`.
int64_t acurl_get(acurl_easy *easy, int info);
/// Returns a text that libcurl has about a transfer, for an info of the type `char *`; NULL if there is none. The text
/// is valid until libcurl acts on the transfer again.
const char *_Nullable acurl_get_text(acurl_easy *easy, int info);
/// Whether the server has ended the data of the transfer's TLS connection with an alert. Returns true if the TLS
/// library is not OpenSSL, since libcurl itself checks the alert with all other libraries. Only for use within
/// callbacks, while there is a connection.
bool acurl_has_end_of_tls(acurl_easy *easy);
/// Whether the TLS library holds decrypted bytes that the transfer has not read; always false over HTTP/2.
bool acurl_has_unread(acurl_easy *easy);
/// Resumes a transfer whose read or write callback has paused it.
void acurl_continue(acurl_easy *easy);
const char *acurl_message(int code);
/// Whether another file descriptor can be opened. libcurl does not report the lack of descriptors as such.
bool acurl_has_free_descriptor(void);

// Lists of header lines

acurl_list *_Nullable acurl_list_append(acurl_list *_Nullable list, const char *line);
void acurl_list_destroy(acurl_list *_Nullable list);

// The loop: a multi handle that waits with epoll. The functions of a loop must all be called on the same thread.

/// Creates an object by which any thread can end the waits of a loop. It must exist longer than the loop.
acurl_wake *_Nullable acurl_wake_create(void);
void acurl_wake_destroy(acurl_wake *wake);
/// Announces that the loop is about to wait. Call this under the lock of the loop's messages, and only if there are
/// none.
void acurl_wake_expect(acurl_wake *wake);
/// Ends the announced wait, if there is one. Call this after a message was added under the lock.
void acurl_wake_up(acurl_wake *wake);

acurl_loop *_Nullable acurl_loop_create(acurl_wake *wake);
void acurl_loop_destroy(acurl_loop *loop);
int acurl_loop_set_long(acurl_loop *loop, int option, long value);
int acurl_loop_add(acurl_loop *loop, acurl_easy *easy);
void acurl_loop_remove(acurl_loop *loop, acurl_easy *easy);
/// Makes libcurl act if its timer has run out.
void acurl_loop_act(acurl_loop *loop);
/// Makes libcurl act on all transfers, even if neither a timer nor a socket requires it.
void acurl_loop_act_on_all(acurl_loop *loop);
/// The most sockets that one wait handles. If more are ready, they get their turn in the next waits.
enum { acurl_sockets_per_wait = 64 };
/// The result of a wait: the process is about to end, and libcurl must not be used; all ready sockets were handled; or
/// more sockets may be ready.
typedef enum { acurl_exiting = -1, acurl_has_all, acurl_has_more } acurl_wait;
/// Waits until a socket is ready, libcurl's timer has run out, `acurl_wake_up` is called or the given time has passed
/// (-1 for no limit). Then makes libcurl act on the ready sockets and the timer.
acurl_wait acurl_loop_wait(acurl_loop *loop, int milliseconds);
/// Returns the context of the next transfer that has ended, and stores libcurl's code. Returns NULL if there is none.
void *_Nullable acurl_loop_next(acurl_loop *loop, int *code);
/// Notes that a transfer is about to send its request on the connection that the `ready` callback gets. Stores the
/// connection's socket, or -1 if it is not known. Returns false, and shuts the connection down, if unrequested bytes
/// have arrived on it, which would be taken for the response (RFC 9112, section 9.2).
bool acurl_loop_claim(
    acurl_loop *loop, acurl_easy *easy, const char *_Nullable peer, int peer_port, int port, int *socket);
/// Watches the HTTP/1.1 connection of a complete transfer for unrequested bytes, unless another transfer uses it
/// already.
void acurl_loop_rest(acurl_loop *loop, acurl_easy *easy, int socket);
/// Shuts the connection of a transfer down if no bytes have arrived on it for at least the given time.
void acurl_loop_abandon(acurl_loop *loop, acurl_easy *easy, int64_t milliseconds);
/// Starts a thread, which blocks all signals, and runs a function on it. Returns whether the thread was started.
bool acurl_start_thread(void (*run)(void *context), void *context);

// Bytes

/// Returns the position of the first byte with a value, or -1.
static inline long acurl_find(const uint8_t *bytes, int byte, size_t count) {
    const uint8_t *found = memchr(bytes, byte, count);
    return found ? found - bytes : -1;
}
static inline bool acurl_equals(const uint8_t *left, const uint8_t *right, size_t count) {
    return memcmp(left, right, count) == 0;
}

// Decoders of bodies, by zlib, libbrotlidec and libzstd, which are opened at run time. libcurl's own decoders do not
// report a body that ends early.

/// The library for a coding. zlib decodes gzip (RFC 1952), with any number of members, and deflate (RFC 1950).
typedef enum { acurl_zlib, acurl_brotli, acurl_zstd } acurl_coding;
typedef enum { acurl_malformed = -1, acurl_incomplete, acurl_complete } acurl_state;

bool acurl_decodes(acurl_coding coding);
acurl_decoder *_Nullable acurl_decoder_create(acurl_coding coding);
void acurl_decoder_destroy(acurl_decoder *decoder);
/// Decodes as much of `input` as fits into `output`, across the ends of members and frames. Before the call, the counts
/// are the sizes of both; afterwards, `input_count` is the number of bytes not read, and `output_count` the number of
/// bytes written.
acurl_state acurl_decode(
    acurl_decoder *decoder, const uint8_t *_Nullable input, size_t *input_count, uint8_t *output, size_t *output_count);

#pragma clang assume_nonnull end

#endif
#endif
