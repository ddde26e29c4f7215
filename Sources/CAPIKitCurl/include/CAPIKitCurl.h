// libcurl, opened at run time, as Swift can call it: libcurl's own functions for options are variadic, which Swift
// cannot call. Nothing here needs a header of libcurl, whose names and numbers have not changed since 2006.
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

/// Opens libcurl, once. Every other function needs it.
/// Returns NULL, or why it cannot be used.
const char *_Nullable acurl_open(void);
/// The version of libcurl as a number: 0x075801 is 7.88.1.
unsigned acurl_version(void);
/// A version as a number that can be compared with that of `acurl_version`.
static inline unsigned acurl_version_number(unsigned major, unsigned minor) { return major << 16 | minor << 8; }
/// Begins the use of libcurl on a thread, which must end it whenever it waits: the end of the process needs libcurl
/// unused. Returns false once the process is about to end; nothing of libcurl may be used then.
bool acurl_enter(void);
void acurl_leave(void);
/// Waits for the end of the process. A thread that ended would have OpenSSL release what it has of it.
_Noreturn void acurl_stay(void);

// Transfers (easy handles)

/// What a transfer calls, each with its context last or first, as libcurl does.
typedef struct {
    size_t (*head)(char *line, size_t size, size_t count, void *context);
    size_t (*write)(char *bytes, size_t size, size_t count, void *context);
    size_t (*read)(char *buffer, size_t size, size_t count, void *context);
    /// From 7.80 on: before each time that the request is sent.
    int (*ready)(void *context, char *_Nullable peer, char *_Nullable address, int peer_port, int port);
    /// After each step and at the end, unless the option `noProgress` is set.
    int (*step)(void *context, int64_t, int64_t, int64_t, int64_t);
    /// What libcurl says, with the option `verbose`.
    int (*debug)(acurl_easy *easy, int kind, char *text, size_t size, void *context);
} acurl_callbacks;

/// Whether what libcurl says to `debug` means that the server has refused a stream without processing it.
bool acurl_says_refused(int kind, const char *text, size_t size);
/// Creates a transfer of a loop.
acurl_easy *_Nullable acurl_easy_create(acurl_callbacks callbacks, acurl_loop *loop);
/// Creates a transfer with the same options, but without a context.
acurl_easy *_Nullable acurl_easy_copy(acurl_easy *easy);
void acurl_easy_destroy(acurl_easy *easy);
/// Sets what callbacks get, and `acurl_loop_next` returns.
void acurl_set_context(acurl_easy *easy, void *_Nullable context);
/// Each returns 0, or libcurl's code: `CURLE_UNKNOWN_OPTION` for an option that this version does not know.
int acurl_set_long(acurl_easy *easy, int option, long value);
int acurl_set_pointer(acurl_easy *easy, int option, const void *_Nullable value);
/// A number that libcurl knows of a transfer: for an info of `long` or `curl_off_t`.
int64_t acurl_get(acurl_easy *easy, int info);
/// A number for the connection that a transfer has: another one if it has another.
int64_t acurl_connection(acurl_easy *easy);
/// Whether the server has ended the data of the transfer's TLS connection by an alert; true if the library for TLS is
/// not OpenSSL, in whose place the others check it. Only for use within callbacks, while there is a connection.
bool acurl_has_end_of_tls(acurl_easy *easy);
/// Whether more has been received over TLS and HTTP/1.1 than the transfer has read so far.
bool acurl_has_unread(acurl_easy *easy);
/// Continues whatever a callback has paused.
void acurl_continue(acurl_easy *easy);
const char *acurl_message(int code);
/// Whether the process, and the system, can open another descriptor: libcurl does not say if that is why it fails.
bool acurl_has_free_descriptor(void);
acurl_list *_Nullable acurl_list_append(acurl_list *_Nullable list, const char *line);
void acurl_list_destroy(acurl_list *_Nullable list);

// The loop: a multi handle that waits with epoll. Its functions belong to one thread.

/// What ends the waits of a loop from any thread, and lives longer than the loop.
acurl_wake *_Nullable acurl_wake_create(void);
void acurl_wake_destroy(acurl_wake *wake);
/// Announces that the loop is about to wait, under the lock of its messages and if there are none.
void acurl_wake_expect(acurl_wake *wake);
/// Ends a wait that was announced, after a message was added under that lock.
void acurl_wake_up(acurl_wake *wake);

acurl_loop *_Nullable acurl_loop_create(acurl_wake *wake);
void acurl_loop_destroy(acurl_loop *loop);
int acurl_loop_set_long(acurl_loop *loop, int option, long value);
int acurl_loop_add(acurl_loop *loop, acurl_easy *easy);
void acurl_loop_remove(acurl_loop *loop, acurl_easy *easy);
/// Does what is due without waiting.
void acurl_loop_act(acurl_loop *loop);
/// Does what is due for all transfers, whether libcurl has asked for it or not.
void acurl_loop_act_on_all(acurl_loop *loop);
/// Whether a wait has looked at all sockets that are ready, or the process is about to end, as for `acurl_enter`.
typedef enum { acurl_exiting = -1, acurl_has_all, acurl_has_more } acurl_wait;
/// Waits for sockets, for a timer or to be woken, at most the given time (-1: any), and does what is due then.
acurl_wait acurl_loop_wait(acurl_loop *loop, int milliseconds);
/// Returns the context of the next transfer that has ended and stores libcurl's code, or returns NULL.
void *_Nullable acurl_loop_next(acurl_loop *loop, int *code);
/// Whether a transfer's request may be sent on its connection, the one that `ready` gets: nothing has arrived there
/// that nobody has asked for, and that would be taken for its response (RFC 9112, section 9.2). Stores the socket, -1
/// for one that is not known.
bool acurl_loop_claim(
    acurl_loop *loop, acurl_easy *easy, const char *_Nullable peer, int peer_port, int port, int *socket);
/// Watches the connection with HTTP/1.1 that a complete transfer leaves, if it has claimed it.
void acurl_loop_rest(acurl_loop *loop, acurl_easy *easy, int socket);
/// Shuts the connection of a transfer down if requests wait for bytes on it, and none have come for that long.
void acurl_loop_abandon(acurl_loop *loop, acurl_easy *easy, int64_t milliseconds);
/// Runs a function on a thread of its own, which gets no signals. Returns whether there is such a thread.
bool acurl_start_thread(void (*run)(void *context), void *context);

// Bytes

static inline bool acurl_are_equal(const void *_Nullable left, const void *_Nullable right, size_t count) {
    return count == 0 || memcmp(left, right, count) == 0;
}
static inline bool acurl_contains(const void *bytes, int byte, size_t count) {
    return memchr(bytes, byte, count) != NULL;
}

// Decoders of bodies, by zlib, libbrotlidec and libzstd, opened at run time. libcurl's own do not report a body that
// ends early.

/// gzip (RFC 1952), with any number of members, and deflate, in the format of zlib (RFC 1950), are one here.
typedef enum { acurl_zlib, acurl_brotli, acurl_zstd } acurl_coding;
typedef enum { acurl_malformed = -1, acurl_incomplete, acurl_complete } acurl_state;

bool acurl_decodes(acurl_coding coding);
acurl_decoder *_Nullable acurl_decoder_create(acurl_coding coding);
void acurl_decoder_destroy(acurl_decoder *decoder);
/// Decodes one step, over the ends of members: takes from `input` and adds to `output` what fits; the counts say how
/// much before and after.
acurl_state acurl_decode(
    acurl_decoder *decoder, const uint8_t *_Nullable input, size_t *input_count, uint8_t *output, size_t *output_count);

#pragma clang assume_nonnull end

#endif
#endif
