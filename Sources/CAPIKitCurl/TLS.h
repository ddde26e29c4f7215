// What libcurl does not say about the TLS of its connections, asked of the library that it uses itself.
#ifndef CAPIKITCURL_TLS_H
#define CAPIKITCURL_TLS_H

#include <stdbool.h>

// As `CURLINFO_TLS_SSL_PTR` gives it.
typedef struct {
    int backend;
    void *session;
} acurl_tls_session;

// Finds the functions among the libraries that libcurl depends on.
void acurl_tls_open(void *curl);
// Releases what the library has of this thread, which uses it no more: at its end, the process may end too.
void acurl_tls_end_thread(void);
// Returns whether decoded bytes wait in the library.
bool acurl_tls_has_unread(const acurl_tls_session *session);
// Returns whether the other side has ended its data by an alert; true if the library is not OpenSSL, in whose place
// libcurl checks that with all others.
bool acurl_tls_has_end(const acurl_tls_session *session);

#endif
