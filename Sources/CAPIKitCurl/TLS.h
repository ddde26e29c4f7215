// The state of TLS connections that libcurl does not report. It is read from the TLS library that libcurl uses.
#ifndef CAPIKITCURL_TLS_H
#define CAPIKITCURL_TLS_H

#include <stdbool.h>

// libcurl's `curl_tlssessioninfo`, which is the value of `CURLINFO_TLS_SSL_PTR`.
typedef struct {
    int backend;
    void *session;
} acurl_tls_session;

// Finds the functions of the TLS library among the libraries that libcurl depends on.
void acurl_tls_open(void *curl);
// Releases the TLS library's memory for this thread, which must not use the library again. Otherwise the library does
// so when the thread ends, at which time the process may be ending too.
void acurl_tls_end_thread(void);
// Returns whether the library holds decrypted bytes that libcurl has not read.
bool acurl_tls_has_unread(const acurl_tls_session *session);
// Returns whether the peer has ended its data with an alert. Returns true if the library is not OpenSSL, since libcurl
// itself checks the alert with all other libraries.
bool acurl_tls_has_end(const acurl_tls_session *session);

#endif
