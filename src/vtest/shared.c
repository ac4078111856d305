/* SPDX-License-Identifier: MIT
 *
 * Shared memory with a client: a sealed memfd.
 */
#include "vtest/shared.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* What is to be undone. */
struct share {
   struct vtest_account *account;
   void *shared;
   void *private; /* or NULL */
   uint64_t num_bytes;
};

static void
unmap(struct share *share, void *address)
{
   if (!address)
      return;
   munmap(address, (size_t)share->num_bytes);
   share->account->used -= share->num_bytes;
}

static void
unshare_memory(void *user)
{
   struct share *share = user;

   unmap(share, share->shared);
   unmap(share, share->private);
   free(share);
}

/* ---- private copies ------------------------------------------------------ */

/* The shared pages are mapped once more, which is what an old size of 0 asks
 * for; other pages take the place of the first mapping. */
static void *
make_private(void *user)
{
   struct share *share = user;
   const size_t size = (size_t)share->num_bytes;

   if (size > share->account->most - share->account->used)
      return NULL;
   void *shared = mremap(share->shared, 0, size, MREMAP_MAYMOVE);
   if (shared == MAP_FAILED)
      return NULL;
   if (mmap(share->shared, size, PROT_READ | PROT_WRITE,
            MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED) {
      munmap(shared, size);
      return NULL;
   }
   memcpy(share->shared, shared, size);
   share->account->used += size;
   share->private = share->shared;
   share->shared = shared;
   return shared;
}

/* ---- shared memory ------------------------------------------------------- */

/* Of a size that stays. */
static int
open_sealed(uint64_t num_bytes)
{
   const int file = memfd_create("tungsten", MFD_CLOEXEC | MFD_ALLOW_SEALING);

   if (file < 0)
      return -1;
   if (ftruncate(file, (off_t)num_bytes) == 0 &&
       fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
      return file;
   close(file);
   return -1;
}

int
vtest_share(struct vtest_account *account, uint64_t num_bytes,
            struct virgl_memory *memory_out)
{
   if (!num_bytes || num_bytes > account->most - account->used)
      return -1;
   struct share *share = malloc(sizeof(*share));
   const int file = share ? open_sealed(num_bytes) : -1;
   void *address = file < 0 ? MAP_FAILED
                            : mmap(NULL, (size_t)num_bytes,
                                   PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);

   if (address == MAP_FAILED) {
      if (file >= 0)
         close(file);
      free(share);
      return -1;
   }
   account->used += num_bytes;
   *share = (struct share){account, address, NULL, num_bytes};
   *memory_out = (struct virgl_memory){
      .address = address,
      .num_bytes = num_bytes,
      .release = unshare_memory,
      .make_private = make_private,
      .user = share,
   };
   return file;
}
