// What the embedded standard library expects of a C library, for a program that runs once: nothing is freed.
typedef __SIZE_TYPE__ size_t;
typedef unsigned char byte;

extern byte __heap_base;
static byte *top = &__heap_base;

int posix_memalign(void **result, size_t alignment, size_t size) {
    top = (byte *)(((size_t)top + alignment - 1) & ~(alignment - 1));
    *result = top;
    top += size;
    return 0;
}

void free(void *pointer) {}

void *memset(void *start, int value, size_t count) {
    for (size_t index = 0; index < count; index++) ((byte *)start)[index] = value;
    return start;
}

void *memmove(void *target, const void *source, size_t count) {
    byte *to = target;
    const byte *from = source;
    if (to < from) {
        for (size_t index = 0; index < count; index++) to[index] = from[index];
    } else {
        for (size_t index = count; index > 0; index--) to[index - 1] = from[index - 1];
    }
    return target;
}

void *memcpy(void *target, const void *source, size_t count) { return memmove(target, source, count); }

int memcmp(const void *left, const void *right, size_t count) {
    const byte *first = left, *second = right;
    for (size_t index = 0; index < count; index++) {
        if (first[index] != second[index]) return first[index] - second[index];
    }
    return 0;
}

double round(double value) { return __builtin_trunc(value + (value < 0 ? -0.5 : 0.5)); }

void arc4random_buf(void *start, size_t count) { memset(start, 7, count); }

size_t __stack_chk_guard = 1;
void __stack_chk_fail(void) { __builtin_trap(); }
