// libcurl's functions, which `acurl_open` finds in the library.
#ifndef CAPIKITCURL_CURL_H
#define CAPIKITCURL_CURL_H

#include "CAPIKitCurl.h"

typedef struct acurl_multi acurl_multi;

// libcurl's `CURLMsg`.
typedef struct {
    int kind;
    acurl_easy *easy;
    union {
        void *pointer;
        int code;
    } data;
} acurl_message_info;

// The first members of libcurl's `curl_version_info_data`.
typedef struct {
    int age;
    const char *version;
    unsigned number;
} acurl_version_info;

// The functions by their names without the prefix `curl_`. The variadic functions are always called with one argument
// after the option.
typedef struct {
    int (*global_init)(long);
    int (*global_trace)(const char *);
    const acurl_version_info *(*version_info)(int);
    acurl_easy *(*easy_init)(void);
    acurl_easy *(*easy_duphandle)(acurl_easy *);
    void (*easy_cleanup)(acurl_easy *);
    int (*easy_setopt)(acurl_easy *, int, ...);
    int (*easy_getinfo)(acurl_easy *, int, ...);
    int (*easy_pause)(acurl_easy *, int);
    const char *(*easy_strerror)(int);
    acurl_list *(*slist_append)(acurl_list *, const char *);
    void (*slist_free_all)(acurl_list *);
    acurl_multi *(*multi_init)(void);
    int (*multi_cleanup)(acurl_multi *);
    int (*multi_setopt)(acurl_multi *, int, ...);
    int (*multi_add_handle)(acurl_multi *, acurl_easy *);
    int (*multi_remove_handle)(acurl_multi *, acurl_easy *);
    int (*multi_socket_action)(acurl_multi *, int, int, int *);
    int (*multi_socket_all)(acurl_multi *, int *);
    acurl_message_info *(*multi_info_read)(acurl_multi *, int *);
} acurl_functions;

__attribute__((visibility("hidden"))) extern acurl_functions acurl_curl;

// The file of root certificates to set, NULL to use libcurl's default.
__attribute__((visibility("hidden"))) extern const char *acurl_roots;

#endif
