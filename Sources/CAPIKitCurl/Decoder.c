#if defined(__linux__)
#include "Library.h"
#include "CAPIKitCurl.h"

#include <pthread.h>
#include <stdlib.h>

// zlib's `z_stream`, which is the same in all versions of `libz.so.1`. zlib compares its size, and the first character
// of the version that it was written for, when a decoder is created.
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
    void *library = ACURL_LOAD("libz.so.1");
    if (library) {
        *(void **)&zlib.inflate = ACURL_FIND(library, inflate);
        *(void **)&zlib.reset = ACURL_FIND(library, inflateReset);
        *(void **)&zlib.end = ACURL_FIND(library, inflateEnd);
        *(void **)&zlib.init = ACURL_FIND(library, inflateInit2_);
    }
    library = ACURL_LOAD("libbrotlidec.so.1");
    if (library) {
        *(void **)&brotli.decode = ACURL_FIND(library, BrotliDecoderDecompressStream);
        *(void **)&brotli.destroy = ACURL_FIND(library, BrotliDecoderDestroyInstance);
        *(void **)&brotli.create = ACURL_FIND(library, BrotliDecoderCreateInstance);
    }
    library = ACURL_LOAD("libzstd.so.1");
    // The function exists from version 1.4 on; older ones are not used.
    if (library && (*(void **)&zstd.set = ACURL_FIND(library, ZSTD_DCtx_setParameter))) {
        *(void **)&zstd.decode = ACURL_FIND(library, ZSTD_decompressStream);
        *(void **)&zstd.is_error = ACURL_FIND(library, ZSTD_isError);
        *(void **)&zstd.destroy = ACURL_FIND(library, ZSTD_freeDCtx);
        *(void **)&zstd.create = ACURL_FIND(library, ZSTD_createDCtx);
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

// A decoder of one of the three libraries: of `brotli` or `zstd` if that is not NULL, otherwise of `zlib`.
struct acurl_decoder {
    z_stream zlib;
    void *brotli, *zstd;
    bool is_complete;
};

static bool start(acurl_decoder *decoder, acurl_coding coding) {
    switch (coding) {
    case acurl_brotli:
        decoder->brotli = brotli.create(NULL, NULL, NULL);
        return decoder->brotli != NULL;
    case acurl_zstd: {
        // The largest window in bits: 8 MiB (RFC 9659, section 3).
        enum { ZSTD_d_windowLogMax = 100, largest_window = 23 };
        decoder->zstd = zstd.create();
        if (decoder->zstd) zstd.set(decoder->zstd, ZSTD_d_windowLogMax, largest_window);
        return decoder->zstd != NULL;
    }
    case acurl_zlib: {
        // The window in bits; adding 32 makes zlib recognize gzip and zlib's own format by their headers.
        enum { largest_window = 15, gzip_or_zlib = 32, Z_OK = 0 };
        const char *version = "1";
        return zlib.init(&decoder->zlib, largest_window + gzip_or_zlib, version, sizeof(z_stream)) == Z_OK;
    }
    }
    return false;
}

acurl_decoder *acurl_decoder_create(acurl_coding coding) {
    if (!acurl_decodes(coding)) return NULL;
    acurl_decoder *decoder = calloc(1, sizeof(acurl_decoder));
    if (!decoder) return NULL;
    if (start(decoder, coding)) return decoder;
    free(decoder);
    return NULL;
}

void acurl_decoder_destroy(acurl_decoder *decoder) {
    if (decoder->brotli) {
        brotli.destroy(decoder->brotli);
    } else if (decoder->zstd) {
        zstd.destroy(decoder->zstd);
    } else {
        zlib.end(&decoder->zlib);
    }
    free(decoder);
}

// The bytes that a step has yet to read, and the room that it has yet to fill.
typedef struct {
    const uint8_t *input;
    size_t input_count;
    uint8_t *output;
    size_t room;
} step;

// Each of these functions decodes as much as fits, and updates the counts of the step. It returns false if the bytes
// are malformed.

static bool decode_brotli(acurl_decoder *decoder, step *step) {
    enum { BROTLI_DECODER_RESULT_ERROR = 0, BROTLI_DECODER_RESULT_SUCCESS = 1 };
    // A Brotli stream is the whole body, so bytes after its end are malformed.
    if (decoder->is_complete) return false;
    int result = brotli.decode(
        decoder->brotli, &step->input_count, &step->input, &step->room, &step->output, NULL);
    decoder->is_complete = result == BROTLI_DECODER_RESULT_SUCCESS;
    return result != BROTLI_DECODER_RESULT_ERROR;
}

static bool decode_zstd(acurl_decoder *decoder, step *step) {
    zstd_buffer from = {step->input, step->input_count, 0};
    zstd_buffer to = {step->output, step->room, 0};
    do {
        size_t result = zstd.decode(decoder->zstd, &to, &from);
        if (zstd.is_error(result)) return false;
        // 0 means the end of a frame, after which another frame may begin (RFC 8878, section 3).
        decoder->is_complete = result == 0;
    } while (decoder->is_complete && from.position < from.count && to.position < to.count);
    step->input_count -= from.position;
    step->room -= to.position;
    return true;
}

static bool decode_zlib(acurl_decoder *decoder, step *step) {
    enum { Z_NO_FLUSH = 0, Z_OK = 0, Z_STREAM_END = 1, Z_BUF_ERROR = -5 };
    z_stream *stream = &decoder->zlib;
    stream->next_in = step->input;
    stream->avail_in = (unsigned)step->input_count;
    stream->next_out = step->output;
    stream->avail_out = (unsigned)step->room;
    do {
        // After the end of a gzip member, another one may begin (RFC 1952, section 2.2).
        if (decoder->is_complete && zlib.reset(stream) != Z_OK) return false;
        int result = zlib.inflate(stream, Z_NO_FLUSH);
        decoder->is_complete = result == Z_STREAM_END;
        // Z_BUF_ERROR means that there is no input or no room left, which is not an error here.
        if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) return false;
    } while (decoder->is_complete && stream->avail_in > 0 && stream->avail_out > 0);
    step->input_count = stream->avail_in;
    step->room = stream->avail_out;
    return true;
}

static bool decode(acurl_decoder *decoder, step *step) {
    if (decoder->brotli) return decode_brotli(decoder, step);
    if (decoder->zstd) return decode_zstd(decoder, step);
    return decode_zlib(decoder, step);
}

acurl_state acurl_decode(
    acurl_decoder *decoder, const uint8_t *input, size_t *input_count, uint8_t *output, size_t *output_count
) {
    step step = {.input = input, .input_count = *input_count, .output = output, .room = *output_count};
    bool has_ended = decoder->is_complete && *input_count == 0;
    if (!has_ended && !decode(decoder, &step)) return acurl_malformed;
    *input_count = step.input_count;
    *output_count -= step.room;
    return decoder->is_complete ? acurl_complete : acurl_incomplete;
}
#endif
