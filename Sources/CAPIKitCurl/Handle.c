// Transfers: easy handles, their options, and the lists of header lines.
#if defined(__linux__)
#define _GNU_SOURCE
#include "Curl.h"
#include "Loop.h"
#include "TLS.h"

#include <errno.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

acurl_easy *acurl_easy_create(acurl_callbacks callbacks, acurl_loop *loop) {
    acurl_easy *easy = acurl_curl.easy_init();
    if (!easy) return NULL;
    acurl_curl.easy_setopt(easy, CURLOPT_HEADERFUNCTION, callbacks.head);
    acurl_curl.easy_setopt(easy, CURLOPT_WRITEFUNCTION, callbacks.write);
    acurl_curl.easy_setopt(easy, CURLOPT_READFUNCTION, callbacks.read);
    // Versions that never call it do not have the option, and refuse it.
    acurl_curl.easy_setopt(easy, CURLOPT_PREREQFUNCTION, callbacks.ready);
    acurl_curl.easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, callbacks.step);
    acurl_curl.easy_setopt(easy, CURLOPT_DEBUGFUNCTION, callbacks.debug);
    acurl_curl.easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, acurl_loop_add_socket);
    acurl_curl.easy_setopt(easy, CURLOPT_SOCKOPTDATA, loop);
    acurl_curl.easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, acurl_loop_close_socket);
    acurl_curl.easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, loop);
    if (acurl_roots) acurl_curl.easy_setopt(easy, CURLOPT_CAINFO, acurl_roots);
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

acurl_easy *acurl_easy_copy(acurl_easy *easy) { return acurl_curl.easy_duphandle(easy); }
void acurl_easy_destroy(acurl_easy *easy) { acurl_curl.easy_cleanup(easy); }

void acurl_set_context(acurl_easy *easy, void *context) {
    // The context of the callbacks for the head, write, read, ready, step and debug, in this order.
    acurl_curl.easy_setopt(easy, CURLOPT_HEADERDATA, context);
    acurl_curl.easy_setopt(easy, CURLOPT_WRITEDATA, context);
    acurl_curl.easy_setopt(easy, CURLOPT_READDATA, context);
    acurl_curl.easy_setopt(easy, CURLOPT_PREREQDATA, context);
    acurl_curl.easy_setopt(easy, CURLOPT_XFERINFODATA, context);
    acurl_curl.easy_setopt(easy, CURLOPT_DEBUGDATA, context);
    acurl_curl.easy_setopt(easy, CURLOPT_PRIVATE, context);
}

int acurl_set_long(acurl_easy *easy, int option, long value) { return acurl_curl.easy_setopt(easy, option, value); }
int acurl_set_pointer(acurl_easy *easy, int option, const void *value) {
    return acurl_curl.easy_setopt(easy, option, value);
}

// Whether the value of an info is a `curl_off_t`, as for times, and not a `long` (`CURLINFO_TYPEMASK`).
static bool is_time(int info) { return (info & 0xF00000) == 0x600000; }

int64_t acurl_get(acurl_easy *easy, int info) {
    union {
        long number;
        int64_t time;
    } value = {0};
    acurl_curl.easy_getinfo(easy, info, &value);
    return is_time(info) ? value.time : value.number;
}

const char *acurl_get_text(acurl_easy *easy, int info) {
    const char *text = NULL;
    acurl_curl.easy_getinfo(easy, info, &text);
    return text;
}

bool acurl_has_end_of_tls(acurl_easy *easy) {
    acurl_tls_session *session = NULL;
    acurl_curl.easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &session);
    return acurl_tls_has_end(session);
}

bool acurl_has_unread(acurl_easy *easy) {
    acurl_tls_session *session = NULL;
    long http = 0;
    acurl_curl.easy_getinfo(easy, CURLINFO_HTTP_VERSION, &http);
    acurl_curl.easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &session);
    return http < CURL_HTTP_VERSION_2_0 && acurl_tls_has_unread(session);
}

void acurl_continue(acurl_easy *easy) { acurl_curl.easy_pause(easy, CURLPAUSE_CONT); }
const char *acurl_message(int code) { return acurl_curl.easy_strerror(code); }
bool acurl_has_free_descriptor(void) {
    int descriptor = eventfd(0, EFD_CLOEXEC);
    if (descriptor < 0) return errno != EMFILE && errno != ENFILE;
    close(descriptor);
    return true;
}

acurl_list *acurl_list_append(acurl_list *list, const char *line) { return acurl_curl.slist_append(list, line); }
void acurl_list_destroy(acurl_list *list) { acurl_curl.slist_free_all(list); }
#endif
