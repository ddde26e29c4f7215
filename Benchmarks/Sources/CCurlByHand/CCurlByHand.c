#include "CCurlByHand.h"

#include <dlfcn.h>

typedef struct {
    int kind;
    void *easy;
    union { void *pointer; int code; } data;
} message;

static struct {
    int (*global_init)(long);
    void *(*easy_init)(void);
    int (*easy_setopt)(void *, int, ...);
    int (*easy_getinfo)(void *, int, ...);
    void *(*slist_append)(void *, const char *);
    const char *(*version)(void);
    void *(*multi_init)(void);
    int (*multi_setopt)(void *, int, ...);
    int (*multi_add_handle)(void *, void *);
    int (*multi_remove_handle)(void *, void *);
    int (*multi_perform)(void *, int *);
    int (*multi_poll)(void *, void *, unsigned, int, int *);
    int (*multi_wakeup)(void *);
    message *(*multi_info_read)(void *, int *);
} curl;

bool hand_open(void) {
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (!library) return false;
    bool is_whole = true;
#define FIND(name) is_whole &= (*(void **)&curl.name = dlsym(library, "curl_" #name)) != NULL
    FIND(global_init), FIND(easy_init), FIND(easy_setopt), FIND(easy_getinfo), FIND(slist_append), FIND(multi_init);
    FIND(multi_add_handle), FIND(multi_remove_handle), FIND(multi_perform), FIND(multi_poll), FIND(multi_wakeup);
    FIND(multi_info_read), FIND(multi_setopt), FIND(version);
#undef FIND
    return is_whole && curl.global_init(3) == 0;
}

void *hand_easy(size_t (*write)(char *, size_t, size_t, void *)) {
    void *easy = curl.easy_init();
    curl.easy_setopt(easy, 20011, write);
    return easy;
}

void hand_set_long(void *easy, int option, long value) { curl.easy_setopt(easy, option, value); }
void hand_set_pointer(void *easy, int option, const void *value) { curl.easy_setopt(easy, option, value); }

long hand_status(void *easy) {
    long status = 0;
    curl.easy_getinfo(easy, 0x200002, &status);
    return status;
}

void *hand_list(void *list, const char *line) { return curl.slist_append(list, line); }
const char *hand_version(void) { return curl.version(); }

void *hand_multi(long connections) {
    void *multi = curl.multi_init();
    curl.multi_setopt(multi, 6, connections);  // MAXCONNECTS: those that are kept
    curl.multi_setopt(multi, 7, connections);  // MAX_HOST_CONNECTIONS
    return multi;
}
void hand_add(void *multi, void *easy) { curl.multi_add_handle(multi, easy); }
void hand_remove(void *multi, void *easy) { curl.multi_remove_handle(multi, easy); }

void hand_perform(void *multi) {
    int running;
    curl.multi_perform(multi, &running);
}

void hand_poll(void *multi) { curl.multi_poll(multi, NULL, 0, 60000, NULL); }
void hand_wake(void *multi) { curl.multi_wakeup(multi); }

void *hand_next(void *multi, int *code) {
    int left;
    message *message;
    while ((message = curl.multi_info_read(multi, &left))) {
        if (message->kind != 1) continue;
        *code = message->data.code;
        return message->easy;
    }
    return NULL;
}
