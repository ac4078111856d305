/* SPDX-License-Identifier: MIT
 *
 * What every room of Tungsten shares in public: version, results, the
 * allocator that a caller may bring, and diagnostics.
 *
 * Nothing here or above it keeps global state, prints, or ends the process.
 * An object may be used by one thread at a time; different objects may be
 * used by different threads at once.
 *
 * Some objects have several owners and are counted: tg_X_ref() adds a reference
 * and returns the object, tg_X_destroy() drops the caller's, in any thread.
 * What is bound, set or in use by work that is not done yet holds a reference
 * of its own, so that dropping the caller's is good at any time.
 */
#ifndef TUNGSTEN_BASE_H
#define TUNGSTEN_BASE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TG_VERSION_MAJOR 0
#define TG_VERSION_MINOR 1
#define TG_VERSION_PATCH 0
/** One number that grows with each release: 1,000,000 a major, 1,000 a minor.
 */
#define TG_VERSION                                                             \
   (TG_VERSION_MAJOR * 1000000 + TG_VERSION_MINOR * 1000 + TG_VERSION_PATCH)

/** Marks what the shared library exports; everything else is hidden. */
#define TG_API __attribute__((visibility("default")))

/** What shaders can be run by: executors, which all give the same bits. Names
 * those of this machine, the usual one first, by numbers from 0; NULL after the
 * last. Any thread. */
TG_API const char *
tg_executor_name(unsigned number);

/** TG_VERSION of the library that is linked, as a number and as "0.1.0". */
TG_API uint32_t
tg_version(void);
TG_API const char *
tg_version_string(void);

/** Zero is success; a function that fails has changed nothing that outlives it.
 */
enum tg_result {
   TG_OK = 0,
   TG_ERROR_INPUT = -1,       /* the input is at fault: see the diagnostics */
   TG_ERROR_MEMORY = -2,      /* the allocator said no */
   TG_ERROR_LIMIT = -3,       /* a budget ran out: loop steps, memory, depth */
   TG_ERROR_IO = -4,          /* a file could not be read or written */
   TG_ERROR_UNSUPPORTED = -5, /* legal, and not something this build executes */
};

/** A few lower-case words, "out of memory"; never NULL. */
TG_API const char *
tg_result_name(enum tg_result result);

/**
 * Memory comes from here. One function does all: `new_size` 0 frees, `ptr`
 * NULL allocates, anything else resizes. Returns NULL when it cannot, and then
 * leaves `ptr` as it was. It is called by the thread that uses the object, or
 * that lets go of the last reference to it: a thread of a GPU's, where what is
 * drawn with is destroyed before it is done. It must live as long as what came
 * from it.
 */
struct tg_allocator {
   void *(*resize)(void *user, void *ptr, size_t old_size, size_t new_size);
   void *user;
};

/** malloc and free. Wherever an allocator may be passed, NULL means this one.
 */
TG_API const struct tg_allocator *
tg_default_allocator(void);

/* ---- structs that can grow ----------------------------------------------- */

/**
 * A struct that a later version may give more members begins with `size`, its
 * sizeof where the program was compiled. TG_NAME_INIT, an initialiser in C and
 * an expression in C++, sets it, and members to what they usually are.
 *
 * Functions read and write no further than `size`; what the struct of an older
 * program lacks is as TG_NAME_INIT of the library has it. TG_ERROR_INPUT for a
 * size below that of the struct's first version, which 0 is, and for one above
 * that which the library knows: the program was compiled for a newer one.
 *
 * Structs without `size` do not change, but for those that the library alone
 * makes (tg_diagnostic, for one), which may get more members at their end.
 */
#ifdef __cplusplus
#define TG_INIT_(type, MEMBERS)                                                \
   ([]() -> struct type {                                                      \
      struct type made_ = {};                                                  \
      made_.size = sizeof(struct type);                                        \
      MEMBERS(TG_SET_)                                                         \
      return made_;                                                            \
   }())
#define TG_SET_(member, value) made_.member = value;
#else
#define TG_INIT_(type, MEMBERS)                                                \
   {                                                                           \
      .size = sizeof(struct type), MEMBERS(TG_SET_)                            \
   }
#define TG_SET_(member, value) .member = value,
#endif
#define TG_NO_MEMBERS_(SET)

/* ---- diagnostics --------------------------------------------------------- */

enum tg_severity {
   TG_SEVERITY_WARNING,
   TG_SEVERITY_ERROR,
};

/**
 * One complaint. The strings belong to the tg_diagnostics and live as long.
 */
struct tg_diagnostic {
   enum tg_severity severity;
   const char *code;        /* stable, for machines: "undeclared-register" */
   const char *file;        /* as the caller named it; "-" is standard input */
   uint32_t line;           /* from 1; 0 when the input has no lines (tokens) */
   uint32_t column;         /* bytes, from 1; without lines: word, from 0 */
   const char *message;     /* one line, no trailing full stop */
   const char *note;        /* what would be right, or NULL */
   const char *source_line; /* its first 160 bytes at most, or NULL */
};

/**
 * A growing list of complaints; at most 1,000 are kept, all are counted, and an
 * error is kept rather than a warning. It gets longer by what is called with
 * it, so one thread at a time does.
 */
struct tg_diagnostics;

/**
 * Returns NULL when out of memory. Wherever an object of this kind may be
 * passed to be added to, NULL is good too: then nothing is kept.
 */
TG_API struct tg_diagnostics *
tg_diagnostics_create(const struct tg_allocator *allocator);

/** Takes NULL. */
TG_API void
tg_diagnostics_destroy(struct tg_diagnostics *diagnostics);

/** Forgets everything said so far. */
TG_API void
tg_diagnostics_clear(struct tg_diagnostics *diagnostics);

/** How many are kept; tg_diagnostics_get() takes an index below it. */
TG_API size_t
tg_diagnostics_count(const struct tg_diagnostics *diagnostics);

/** How many errors were said, kept or not. */
TG_API size_t
tg_diagnostics_num_errors(const struct tg_diagnostics *diagnostics);

/** NULL when `index` is too large. Good until the list is next added to. */
TG_API const struct tg_diagnostic *
tg_diagnostics_get(const struct tg_diagnostics *diagnostics, size_t index);

/**
 * All of them as text: `file:line:column: error: message`, the source line, a
 * caret, `note: ...`; a last line says so when not all were kept. The string is
 * the caller's, to be freed with tg_string_free(); NULL when out of memory.
 */
TG_API char *
tg_diagnostics_text(const struct tg_diagnostics *diagnostics);

/**
 * The same as a JSON array of objects with the fields of tg_diagnostic, but
 * `severity` as "error" or "warning"; those that are NULL are left out. The
 * string is the caller's, to be freed with tg_string_free(); NULL when out of
 * memory.
 */
TG_API char *
tg_diagnostics_json(const struct tg_diagnostics *diagnostics);

/** Frees a string that a function of this API gave away. Takes NULL. Its memory
 * is of the allocator of the object that it describes, which it goes back to;
 * like all else of that allocator it may be freed after the object. */
TG_API void
tg_string_free(char *string);

#ifdef __cplusplus
}
#endif

#endif
