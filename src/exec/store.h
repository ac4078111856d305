/* SPDX-License-Identifier: MIT
 *
 * The code cache as executors see it: object files by digests, which outlive
 * the process. An executor that generates code asks for an object before it
 * makes one.
 *
 * A digest is BLAKE3 of all that an object follows from: the module, what it is
 * compiled for, and what compiles it. It stands for them, so whoever can have
 * an object kept under the digest of a module that is not the object's decides
 * what others run: see docs/code-cache.md.
 */
#ifndef TG_EXEC_STORE_H
#define TG_EXEC_STORE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
   EXEC_DIGEST_BYTES = 32,
   EXEC_MAX_OBJECT = 16 << 20, /* bytes; a larger one is not kept */
};

struct exec_digest {
   unsigned char bytes[EXEC_DIGEST_BYTES];
};

/* Bytes from malloc(), which the receiver frees. */
struct exec_object {
   void *data;
   size_t size;
};

/* Any function may be NULL, and is called by any thread. */
struct exec_store {
   /* The object with a digest. False: there is none. */
   bool (*find)(void *user, const struct exec_digest *digest,
                struct exec_object *object_out);
   /* Is told of a module whose object the caller has made, by the bytes of
    * lir_serialize(): the store may have it made by somebody that it trusts. */
   void (*offer)(void *user, const void *bytes, size_t num_bytes);
   /* Keeps an object that the caller has made, if that can be. */
   void (*keep)(void *user, const struct exec_digest *digest, const void *data,
                size_t size);
   void *user;
};

/* What became of modules that code was asked for. Any thread counts. */
struct exec_counters {
   atomic_uint_fast64_t compiled;    /* code was generated */
   atomic_uint_fast64_t loaded;      /* it was in the store */
   atomic_uint_fast64_t shared;      /* the process had it already */
   atomic_uint_fast64_t refused;     /* there is none: LLVM made none */
   atomic_uint_fast64_t nanoseconds; /* for generating and loading */
};

#endif
