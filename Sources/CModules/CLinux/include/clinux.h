/* What Glibc's Swift import lacks: open-file-description locks, renames that do not replace,
   copying within the kernel, and signal handlers. Only <stdint.h> may be included here, and
   _GNU_SOURCE never defined: either would change how other modules see the system's headers.
   Unless said otherwise a function gives 0, or the number of the error (errno). */
#pragma once
#include <stdint.h>

/* The number of arguments of main, the program's name included. */
int linux_argument_count(void);

/* An argument of main; NULL beyond the last one. */
const char *linux_argument(int index);

/* The ways of locking a byte range. */
enum { linux_lock_none = 0, linux_lock_shared = 1, linux_lock_exclusive = 2 };

/* Takes or drops a lock owned by the open file description; EAGAIN where another owner has it. */
int linux_lock_set(int descriptor, int way, int64_t offset, int64_t length);

/* Tells in *way which lock of another owner stands against the wanted one; none where it is free. */
int linux_lock_test(int descriptor, int *way, int64_t offset, int64_t length);

/* Renames; EEXIST where the new name is taken, EINVAL where the file system cannot promise that. */
int linux_rename_exclusively(const char *from, const char *to);

/* Makes the target share the blocks of the source. */
int linux_clone(int source, int target);

/* Copies within the kernel, both at the same offset. *copied is 0 at the end of the source. */
int linux_copy_range(int source, int target, int64_t offset, int64_t length, int64_t *copied);

/* Allocates blocks; with keep_size != 0 the file does not become longer. */
int linux_allocate(int descriptor, int keep_size, int64_t offset, int64_t length);

/* Begins to write a range of a file to its disk; length 0 stands for up to the end. */
int linux_begin_write_back(int descriptor, int64_t offset, int64_t length);

/* The magic number of the file system that holds an open file. */
int linux_filesystem_kind(int descriptor, uint32_t *kind);

/* Major and minor number of the device that holds an open file. */
int linux_device(int descriptor, uint32_t *major_number, uint32_t *minor_number);

/* Opens a new file that has no place on any disk; closed on exec. */
int linux_memory_file(const char *name, int *descriptor);

/* Adds to a posix_spawn_file_actions_t: close every descriptor from this one on. */
int linux_spawn_closing(void *actions, int first);

/* A descriptor that polls readable when a child has ended; closed on exec. */
int linux_process_descriptor(int process, int *descriptor);

/* Opens a socket that gets news of links, addresses and routes; reading it does not block. */
int linux_network_changes(int *descriptor);

/* Names the calling thread; only the first 15 bytes count. */
void linux_name_thread(const char *name);

/* A request to stop, as signals make it. It may be shared between threads. */
struct linux_interruption;

/* A request that nobody has made yet; NULL without memory or descriptors. */
struct linux_interruption *linux_interruption_new(void);

/* Frees one that was never given to linux_interruption_watch. */
void linux_interruption_free(struct linux_interruption *interruption);

/* The number of the first signal that came, or 0. */
int linux_interruption_signal(const struct linux_interruption *interruption);

/* A descriptor that polls readable once a signal has come. */
int linux_interruption_descriptor(const struct linux_interruption *interruption);

/* Does what the first signal does; gives 0 if one had come before. */
int linux_interruption_request(struct linux_interruption *interruption, int signal);

/* From now on the signal makes the request, and if one was made before, has its default effect.
   One interruption a process; a signal that is ignored stays ignored (*ignored is then 1). */
int linux_interruption_watch(struct linux_interruption *interruption, int signal, int *ignored);

/* Gives the signal its default effect, lets it through to this thread and raises it. Comes back
   only where the default effect is not to end the process. */
void linux_die_by(int signal);

/* Lets the calling thread use disks only while nobody else does; threads that it starts later,
   too. */
int linux_idle_disk(void);

/* Ignores the signal, unless it has a handler. */
int linux_ignore(int signal);
