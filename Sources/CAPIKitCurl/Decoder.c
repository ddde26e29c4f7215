#if defined(__linux__)
#include "CAPIKitCurl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

typedef struct {
    const uint8_t *next_in;
    unsigned avail_in;
    unsigned long total_in;
    uint8_t *next_out;
    unsigned avail_out;
    unsigned long total_out;
    const char *message;
    void *state, *alloc, *free, *opaque;
    int data_type;
    unsigned long adler, reserved;
} z_stream;

static struct {
    int (*init)(z_stream *, int, const char *, int);
    int (*inflate)(z_stream *, int);
    int (*reset)(z_stream *);
    int (*end)(z_stream *);
} zlib;

static struct {
    void *(*create)(void *, void *, void *);
    int (*decode)(void *, size_t *, const uint8_t **, size_t *, uint8_t **, size_t *);
    void (*destroy)(void *);
} brotli;

typedef struct {
    const void *bytes;
    size_t count, position;
} zstd_buffer;

static struct {
    void *(*create)(void);
    size_t (*set)(void *, int, int);
    size_t (*decode)(void *, zstd_buffer *, zstd_buffer *);
    unsigned (*is_error)(size_t);
    size_t (*destroy)(void *);
} zstd;

static void open_decoders(void) {
    void *library = dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library) {
        *(void **)&zlib.inflate = dlsym(library, "inflate");
        *(void **)&zlib.reset = dlsym(library, "inflateReset");
        *(void **)&zlib.end = dlsym(library, "inflateEnd");
        *(void **)&zlib.init = dlsym(library, "inflateInit2_");
    }
    library = dlopen("libbrotlidec.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library) {
        *(void **)&brotli.decode = dlsym(library, "BrotliDecoderDecompressStream");
        *(void **)&brotli.destroy = dlsym(library, "BrotliDecoderDestroyInstance");
        *(void **)&brotli.create = dlsym(library, "BrotliDecoderCreateInstance");
    }
    library = dlopen("libzstd.so.1", RTLD_NOW | RTLD_LOCAL);
    // From 1.4 on.
    if (library && (*(void **)&zstd.set = dlsym(library, "ZSTD_DCtx_setParameter"))) {
        *(void **)&zstd.decode = dlsym(library, "ZSTD_decompressStream");
        *(void **)&zstd.is_error = dlsym(library, "ZSTD_isError");
        *(void **)&zstd.destroy = dlsym(library, "ZSTD_freeDCtx");
        *(void **)&zstd.create = dlsym(library, "ZSTD_createDCtx");
    }
}

bool acurl_decodes(acurl_coding coding) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_decoders);
    switch (coding) {
    case acurl_brotli: return brotli.create != NULL;
    case acurl_zstd: return zstd.create != NULL;
    case acurl_zlib: break;
    }
    return zlib.init != NULL;
}

struct acurl_decoder {
    z_stream zlib;
    void *brotli, *zstd;
    bool is_complete;
};

acurl_decoder *acurl_decoder_create(acurl_coding coding) {
    acurl_decoder *decoder = acurl_decodes(coding) ? calloc(1, sizeof(acurl_decoder)) : NULL;
    if (!decoder) return NULL;
    if (coding == acurl_brotli) decoder->brotli = brotli.create(NULL, NULL, NULL);
    // 100: the largest window as a power of two, 8 MiB (RFC 9659, section 3).
    if (coding == acurl_zstd && (decoder->zstd = zstd.create())) zstd.set(decoder->zstd, 100, 23);
    // 32: the format of gzip or of zlib, as the body begins.
    if (decoder->brotli || decoder->zstd || (coding == acurl_zlib && zlib.init(&decoder->zlib, 15 + 32, "1", sizeof(z_stream)) == 0))
        return decoder;
    free(decoder);
    return NULL;
}

void acurl_decoder_destroy(acurl_decoder *decoder) {
    if (decoder->brotli) brotli.destroy(decoder->brotli);
    else if (decoder->zstd) zstd.destroy(decoder->zstd);
    else zlib.end(&decoder->zlib);
    free(decoder);
}

acurl_state acurl_decode(
    acurl_decoder *decoder, const uint8_t *input, size_t *input_count, uint8_t *output, size_t *output_count
) {
    size_t room = *output_count;
    if (decoder->is_complete && *input_count == 0) return *output_count = 0, acurl_complete;
    if (decoder->brotli) {
        if (decoder->is_complete) return acurl_malformed;
        int result = brotli.decode(decoder->brotli, input_count, &input, &room, &output, NULL);
        if (result == 0) return acurl_malformed;
        decoder->is_complete = result == 1;
    } else if (decoder->zstd) {
        zstd_buffer from = { input, *input_count, 0 }, to = { output, room, 0 };
        size_t result;
        do {
            // 0: the end of a frame, after which another may begin (RFC 8878, section 3).
            result = zstd.decode(decoder->zstd, &to, &from);
            if (zstd.is_error(result)) return acurl_malformed;
        } while (result == 0 && from.position < from.count && to.position < to.count);
        decoder->is_complete = result == 0;
        *input_count -= from.position;
        room -= to.position;
    } else {
        z_stream *stream = &decoder->zlib;
        stream->next_in = input, stream->avail_in = (unsigned)*input_count;
        stream->next_out = output, stream->avail_out = (unsigned)room;
        do {
            // Another member of gzip (RFC 1952, section 2.2).
            if (decoder->is_complete && zlib.reset(stream) != 0) return acurl_malformed;
            int result = zlib.inflate(stream, 0);
            // 1: the end of the stream, -5: nothing to do.
            if (result != 0 && result != 1 && result != -5) return acurl_malformed;
            decoder->is_complete = result == 1;
        } while (decoder->is_complete && stream->avail_in > 0 && stream->avail_out > 0);
        *input_count = stream->avail_in;
        room = stream->avail_out;
    }
    *output_count -= room;
    return decoder->is_complete ? acurl_complete : acurl_incomplete;
}
#endif
