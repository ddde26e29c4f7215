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
bool acurl_tls_has_unread(const acurl_tls_session *session);
// Returns whether the server has announced its end (`close_notify`), or whether that cannot be known.
bool acurl_tls_has_ended(const acurl_tls_session *session);

#endif
