#if defined(__linux__)
#include "Library.h"
#include "TLS.h"

#include <stddef.h>

// Values of `curl_sslbackend`. Libraries that are compatible with OpenSSL have the same value as OpenSSL.
enum { openssl = 1, gnutls = 2 };

static struct {
    int (*openssl_pending)(const void *);
    int (*openssl_shutdown)(const void *);
    void (*openssl_end_thread)(void);
    size_t (*gnutls_pending)(void *);
} tls;

void acurl_tls_open(void *curl) {
    *(void **)&tls.openssl_pending = ACURL_FIND(curl, SSL_pending);
    *(void **)&tls.openssl_shutdown = ACURL_FIND(curl, SSL_get_shutdown);
    *(void **)&tls.openssl_end_thread = ACURL_FIND(curl, OPENSSL_thread_stop);
    *(void **)&tls.gnutls_pending = ACURL_FIND(curl, gnutls_record_check_pending);
}

void acurl_tls_end_thread(void) {
    if (tls.openssl_end_thread) tls.openssl_end_thread();
}

bool acurl_tls_has_unread(const acurl_tls_session *session) {
    if (!session || !session->session) return false;
    if (session->backend == openssl && tls.openssl_pending) return tls.openssl_pending(session->session) > 0;
    return session->backend == gnutls && tls.gnutls_pending && tls.gnutls_pending(session->session) > 0;
}

bool acurl_tls_has_end(const acurl_tls_session *session) {
    if (!session || !session->session || session->backend != openssl || !tls.openssl_shutdown) return true;
    return tls.openssl_shutdown(session->session) & 2;  // SSL_RECEIVED_SHUTDOWN
}
#endif
