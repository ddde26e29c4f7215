#if defined(__linux__)
#include "CAPIKitCurl.h"
#include "Wake.h"

#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

acurl_wake *acurl_wake_create(void) {
    acurl_wake *wake = calloc(1, sizeof(acurl_wake));
    if (!wake) return NULL;
    wake->event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (wake->event >= 0) return wake;
    free(wake);
    return NULL;
}

void acurl_wake_destroy(acurl_wake *wake) {
    close(wake->event);
    free(wake);
}

void acurl_wake_expect(acurl_wake *wake) { atomic_store(&wake->is_expected, true); }

void acurl_wake_up(acurl_wake *wake) {
    uint64_t one = 1;
    if (atomic_exchange(&wake->is_expected, false)) (void)!write(wake->event, &one, sizeof one);
}
#endif
