#define _GNU_SOURCE
#include "clinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/rtnetlink.h>
#include <malloc.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

static int result(int64_t status) { return status < 0 ? errno : 0; }

static int argument_count;
static char **arguments;

/* glibc passes the arguments of main to the initialisers of programs and of shared objects. */
__attribute__((constructor)) static void keep_arguments(int count, char **words, char **variables) {
  (void)variables;
  argument_count = count;
  arguments = words;
}

int linux_argument_count(void) { return argument_count; }

const char *linux_argument(int index) {
  return index >= 0 && index < argument_count ? arguments[index] : NULL;
}

static short type_of(int way) {
  return way == linux_lock_exclusive ? F_WRLCK : way == linux_lock_shared ? F_RDLCK : F_UNLCK;
}

int linux_lock_set(int descriptor, int way, int64_t offset, int64_t length) {
  /* The kernel requires l_pid to be 0. */
  struct flock lock = {
      .l_type = type_of(way), .l_whence = SEEK_SET, .l_start = offset, .l_len = length};
  return result(fcntl(descriptor, F_OFD_SETLK, &lock));
}

int linux_lock_test(int descriptor, int *way, int64_t offset, int64_t length) {
  struct flock lock = {
      .l_type = type_of(*way), .l_whence = SEEK_SET, .l_start = offset, .l_len = length};
  int error = result(fcntl(descriptor, F_OFD_GETLK, &lock));
  if (error == 0)
    *way = lock.l_type == F_WRLCK   ? linux_lock_exclusive
           : lock.l_type == F_RDLCK ? linux_lock_shared
                                    : linux_lock_none;
  return error;
}

int linux_lock_folder(int descriptor) { return result(flock(descriptor, LOCK_EX)); }

int linux_rename_exclusively(const char *from, const char *to) {
  return result(renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE));
}

int linux_clone(int source, int target) { return result(ioctl(target, FICLONE, source)); }

int linux_copy_range(int source, int target, int64_t offset, int64_t length, int64_t *copied) {
  off64_t from = offset, to = offset;
  ssize_t count = copy_file_range(source, &from, target, &to, (size_t)length, 0);
  *copied = count < 0 ? 0 : count;
  return result(count);
}

int linux_allocate(int descriptor, int keep_size, int64_t offset, int64_t length) {
  return result(fallocate(descriptor, keep_size ? FALLOC_FL_KEEP_SIZE : 0, offset, length));
}

int linux_begin_write_back(int descriptor, int64_t offset, int64_t length) {
  return result(sync_file_range(descriptor, offset, length, SYNC_FILE_RANGE_WRITE));
}

int linux_sync_filesystem(int descriptor) { return result(syncfs(descriptor)); }

int linux_filesystem_kind(int descriptor, uint32_t *kind) {
  struct statfs facts;
  int error = result(fstatfs(descriptor, &facts));
  *kind = error == 0 ? (uint32_t)facts.f_type : 0;
  return error;
}

int64_t linux_attribute(const char *path, const char *name, void *value, int64_t size) {
  return size > 0 ? lgetxattr(path, name, value, (size_t)size) : -1;
}

int linux_device(int descriptor, uint32_t *major_number, uint32_t *minor_number) {
  struct stat facts;
  int error = result(fstat(descriptor, &facts));
  *major_number = error == 0 ? major(facts.st_dev) : 0;
  *minor_number = error == 0 ? minor(facts.st_dev) : 0;
  return error;
}

int linux_memory_file(const char *name, int *descriptor) {
  *descriptor = memfd_create(name, MFD_CLOEXEC);
  return result(*descriptor);
}

int linux_spawn_closing(void *actions, int first) {
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

int linux_process_descriptor(int process, int *descriptor) {
  *descriptor = (int)syscall(SYS_pidfd_open, process, 0);
  return result(*descriptor);
}

int linux_network_changes(int *descriptor) {
  struct sockaddr_nl groups = {
      .nl_family = AF_NETLINK,
      .nl_groups = RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_IFADDR |
                   RTMGRP_IPV6_ROUTE};
  *descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
  if (*descriptor < 0)
    return errno;
  int error = result(bind(*descriptor, (const struct sockaddr *)&groups, sizeof groups));
  if (error != 0)
    close(*descriptor);
  return error;
}

void linux_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

void linux_limit_arenas(int count) { mallopt(M_ARENA_MAX, count); }

struct linux_interruption {
  atomic_int signal;
  int descriptor;
};

/* The only way for a signal handler to find its record; set before any handler is installed. */
static _Atomic(struct linux_interruption *) watched;

struct linux_interruption *linux_interruption_new(void) {
  struct linux_interruption *interruption = malloc(sizeof *interruption);
  if (interruption == NULL) return NULL;
  atomic_init(&interruption->signal, 0);
  interruption->descriptor = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (interruption->descriptor >= 0) return interruption;
  free(interruption);
  return NULL;
}

void linux_interruption_free(struct linux_interruption *interruption) {
  close(interruption->descriptor);
  free(interruption);
}

int linux_interruption_signal(const struct linux_interruption *interruption) {
  return atomic_load(&interruption->signal);
}

int linux_interruption_descriptor(const struct linux_interruption *interruption) {
  return interruption->descriptor;
}

int linux_interruption_request(struct linux_interruption *interruption, int signal) {
  int none = 0;
  uint64_t one = 1;
  if (!atomic_compare_exchange_strong(&interruption->signal, &none, signal)) return 0;
  /* The counter cannot be full, and a signal handler cannot report a failed write. */
  ssize_t written = write(interruption->descriptor, &one, sizeof one);
  (void)written;
  return 1;
}

static void interrupted(int signal) {
  int kept = errno;
  if (!linux_interruption_request(atomic_load(&watched), signal)) linux_die_by(signal);
  errno = kept;
}

int linux_interruption_watch(struct linux_interruption *interruption, int signal, int *ignored) {
  struct sigaction old, new = {.sa_handler = interrupted};
  struct linux_interruption *none = NULL;
  *ignored = 0;
  if (!atomic_compare_exchange_strong(&watched, &none, interruption) && none != interruption)
    return EBUSY;
  if (sigaction(signal, NULL, &old) != 0) return errno;
  if (!(old.sa_flags & SA_SIGINFO) && old.sa_handler == SIG_IGN) {
    *ignored = 1;
    return 0;
  }
  /* No SA_RESTART: a read that waits for the user or a pipe returns EINTR. */
  sigemptyset(&new.sa_mask);
  return result(sigaction(signal, &new, NULL));
}

void linux_die_by(int signal) {
  struct sigaction action = {.sa_handler = SIG_DFL};
  sigset_t set;
  sigemptyset(&action.sa_mask);
  sigemptyset(&set);
  sigaddset(&set, signal);
  sigaction(signal, &action, NULL);
  /* Raised first: within a handler the signal stays pending until it is unblocked. */
  raise(signal);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

static int stop_descriptor = -1;

static void stop_requested(int signal) {
  int kept = errno;
  uint64_t one = 1;
  (void)signal;
  (void)!write(stop_descriptor, &one, sizeof one);
  errno = kept;
}

static int handle_stop(void) {
  struct sigaction new = {.sa_handler = stop_requested, .sa_flags = SA_RESTART};
  sigemptyset(&new.sa_mask);
  return result(sigaction(SIGTSTP, &new, NULL));
}

int linux_stop_watch(int *descriptor) {
  struct sigaction old;
  if (sigaction(SIGTSTP, NULL, &old) != 0) return errno;
  if ((old.sa_flags & SA_SIGINFO) || old.sa_handler != SIG_DFL) return EBUSY;
  stop_descriptor = eventfd(0, EFD_CLOEXEC);
  *descriptor = stop_descriptor;
  return stop_descriptor < 0 ? errno : handle_stop();
}

void linux_stop_now(void) {
  linux_die_by(SIGTSTP);
  handle_stop();
}

int linux_idle_disk(void) {
  // ioprio_set(IOPRIO_WHO_PROCESS, this thread, IOPRIO_CLASS_IDLE << IOPRIO_CLASS_SHIFT): glibc has
  // neither the call nor the names.
  return result((int)syscall(SYS_ioprio_set, 1, 0, 3 << 13));
}

int linux_ignore(int signal) {
  struct sigaction old, new = {.sa_handler = SIG_IGN};
  if (sigaction(signal, NULL, &old) != 0) return errno;
  if ((old.sa_flags & SA_SIGINFO) || (old.sa_handler != SIG_DFL && old.sa_handler != SIG_IGN))
    return 0;
  sigemptyset(&new.sa_mask);
  return result(sigaction(signal, &new, NULL));
}

int linux_program(char *path, int64_t size) {
  ssize_t length = readlink("/proc/self/exe", path, (size_t)size);
  if (length < 0) return errno;
  if (length >= size) return ENAMETOOLONG;
  path[length] = 0;
  return 0;
}

int linux_working_folder(char *path, int64_t size) {
  return getcwd(path, (size_t)size) ? 0 : errno;
}

int linux_is_program(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

const char *linux_variable(const char *name) { return getenv(name); }

int linux_set_variable(const char *name, const char *value) {
  return result(setenv(name, value, 1));
}

int linux_execute(const char *path, const char *const *words) {
  size_t count = 0;
  const char **line;
  execv(path, (char *const *)words);
  if (errno != ENOEXEC) return errno;
  while (words[count]) count++;
  line = malloc((count + 2) * sizeof *line);
  if (!line) return ENOMEM;
  line[0] = "/bin/sh";
  line[1] = path;
  memcpy(line + 2, words + 1, count * sizeof *line);
  execv(line[0], (char *const *)line);
  free(line);
  return ENOEXEC;
}

void linux_end(int status, const char *text) {
  (void)!write(STDERR_FILENO, text, strlen(text));
  _exit(status);
}
