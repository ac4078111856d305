/* SPDX-License-Identifier: MIT
 *
 * The sandbox: a seccomp filter, which is a list of the system calls that are
 * allowed, and resource limits.
 */
#include "vtest/sandbox.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

enum { MAX_DESCRIPTORS = 64 };

/* Memory, threads that wait for each other, the clock, the socket, the log, and
 * memory that is shared. mprotect() is what a C library grows heaps with. */
static const unsigned allowed[] = {
   __NR_read,         __NR_write,           __NR_recvfrom,
   __NR_sendto,       __NR_sendmsg,         __NR_close,
   __NR_memfd_create, __NR_ftruncate,       __NR_fcntl,
   __NR_mmap,         __NR_munmap,          __NR_mremap,
   __NR_mprotect,     __NR_madvise,         __NR_brk,
   __NR_futex,        __NR_sched_yield,     __NR_sched_getaffinity,
   __NR_gettid,       __NR_getpid,          __NR_tgkill,
   __NR_getrandom,    __NR_restart_syscall, __NR_clock_gettime,
   __NR_nanosleep,    __NR_clock_nanosleep, __NR_rt_sigreturn,
   __NR_rt_sigaction, __NR_rt_sigprocmask,  __NR_exit,
   __NR_exit_group,   __NR_lseek,           __NR_shutdown,
   __NR_writev,
#ifdef __NR_rseq
   __NR_rseq,
#endif
};

enum { NUM_ALLOWED = sizeof(allowed) / sizeof(allowed[0]) };

bool
vtest_sandbox_limit_process(void)
{
   const struct rlimit none = {0, 0};
   const struct rlimit few = {MAX_DESCRIPTORS, MAX_DESCRIPTORS};

   return setrlimit(RLIMIT_CORE, &none) == 0 &&
          setrlimit(RLIMIT_NOFILE, &few) == 0 &&
          prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == 0 &&
          prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
}

#ifdef ARCHITECTURE

static const unsigned refuse = SECCOMP_RET_ERRNO | EPERM;

/* Two instructions a call: is it that one, then it is allowed. */
static unsigned
write_filter(struct sock_filter *filter)
{
   unsigned n = 0;

   filter[n++] = (struct sock_filter)BPF_STMT(
      BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
   filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
                                              ARCHITECTURE, 1, 0);
   filter[n++] =
      (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
   filter[n++] = (struct sock_filter)BPF_STMT(
      BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
   for (unsigned i = 0; i < NUM_ALLOWED; i++) {
      filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
                                                 allowed[i], 0, 1);
      filter[n++] =
         (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
   }
   filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, refuse);
   return n;
}

bool
vtest_enter_sandbox(void)
{
   struct sock_filter filter[5 + 2 * NUM_ALLOWED];
   const struct sock_fprog program = {
      .len = (unsigned short)write_filter(filter),
      .filter = filter,
   };

   return syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER,
                  SECCOMP_FILTER_FLAG_TSYNC, &program) == 0;
}

#else

bool
vtest_enter_sandbox(void)
{
   return false;
}

#endif
