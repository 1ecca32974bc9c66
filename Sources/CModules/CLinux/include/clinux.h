/* System calls that Glibc's Swift import lacks: open-file-description locks, renames that do not
   replace, copying within the kernel, and signal handlers. This header may include only <stdint.h>
   and must never define _GNU_SOURCE: either would change how other modules see the system's
   headers. Unless stated otherwise, a function returns 0 or the error number (errno). */
#pragma once
#include <stdint.h>

/* Returns the number of arguments of main, including the program's name. */
int linux_argument_count(void);

/* Returns an argument of main; NULL beyond the last one. */
const char *linux_argument(int index);

/* The lock modes of a byte range. */
enum { linux_lock_none = 0, linux_lock_shared = 1, linux_lock_exclusive = 2 };

/* Sets or removes a lock owned by the open file description; EAGAIN if another owner holds it. */
int linux_lock_set(int descriptor, int way, int64_t offset, int64_t length);

/* Writes to *way the mode of a conflicting lock of another owner; none if the range is free. */
int linux_lock_test(int descriptor, int *way, int64_t offset, int64_t length);

/* Waits for the lock of an open folder (flock), which a close of the descriptor releases. */
int linux_lock_folder(int descriptor);

/* Renames; EEXIST if the new name exists, EINVAL if the file system does not support it. */
int linux_rename_exclusively(const char *from, const char *to);

/* Makes the target share the blocks of the source (FICLONE). */
int linux_clone(int source, int target);

/* Copies within the kernel, at the same offset in both files. *copied is 0 at the end of the
   source. */
int linux_copy_range(int source, int target, int64_t offset, int64_t length, int64_t *copied);

/* Allocates blocks; with keep_size != 0 the file keeps its length. */
int linux_allocate(int descriptor, int keep_size, int64_t offset, int64_t length);

/* Starts write-back of a range of a file; length 0 means up to the end. */
int linux_begin_write_back(int descriptor, int64_t offset, int64_t length);

/* Flushes all of the file system of an open file. */
int linux_sync_filesystem(int descriptor);

/* Returns the magic number of the file system of an open file. */
int linux_filesystem_kind(int descriptor, uint32_t *kind);

/* Returns the major and minor number of the device of an open file. */
int linux_device(int descriptor, uint32_t *major_number, uint32_t *minor_number);

/* Reads an extended attribute without following a link. Returns its length in bytes, -1 if there is
   none that fits. */
int64_t linux_attribute(const char *path, const char *name, void *value, int64_t size);

/* Opens a new file in memory (memfd); closed on exec. */
int linux_memory_file(const char *name, int *descriptor);

/* Adds the action that closes all descriptors from `first` on to a posix_spawn_file_actions_t. */
int linux_spawn_closing(void *actions, int first);

/* Opens a descriptor that polls readable once a child has ended (pidfd); closed on exec. */
int linux_process_descriptor(int process, int *descriptor);

/* Opens a non-blocking socket that receives changes of links, addresses and routes. */
int linux_network_changes(int *descriptor);

/* Names the calling thread; only the first 15 bytes are used. */
void linux_name_thread(const char *name);

/* Limits the arenas of the allocator; each keeps the memory that its threads have freed. */
void linux_limit_arenas(int count);

/* A request to stop, as made by signals. It may be shared between threads. */
struct linux_interruption;

/* Creates an unset request; NULL if memory or descriptors are exhausted. */
struct linux_interruption *linux_interruption_new(void);

/* Frees a request that was never given to linux_interruption_watch. */
void linux_interruption_free(struct linux_interruption *interruption);

/* Returns the number of the first signal received, or 0. */
int linux_interruption_signal(const struct linux_interruption *interruption);

/* Returns a descriptor that polls readable once a signal was received. */
int linux_interruption_descriptor(const struct linux_interruption *interruption);

/* Sets the request as the first signal does; returns 0 if it was already set. */
int linux_interruption_request(struct linux_interruption *interruption, int signal);

/* Installs a handler by which the signal sets the request, or has its default action if the request
   was already set. One interruption per process; an ignored signal stays ignored (*ignored is then
   1). */
int linux_interruption_watch(struct linux_interruption *interruption, int signal, int *ignored);

/* Resets the signal to its default action, unblocks it in this thread and raises it. Returns only
   if the default action does not end the process. */
void linux_die_by(int signal);

/* Installs a handler of SIGTSTP that adds to the counter of a new event descriptor instead of stopping
   the process; once per process. EBUSY if the signal is ignored or has a handler. */
int linux_stop_watch(int *descriptor);

/* Stops the process as SIGTSTP does by default, which an orphaned process group ignores, and returns
   after SIGCONT with the handler installed again. */
void linux_stop_now(void);

/* Sets the idle class of disk priority for the calling thread and threads that it starts later. */
int linux_idle_disk(void);

/* Ignores the signal, unless it has a handler. */
int linux_ignore(int signal);

/* The size in bytes of a buffer for any path of the kernel, including the final NUL. */
enum { linux_longest_path = 4096 };

/* Writes the path of this process's executable, with links resolved. */
int linux_program(char *path, int64_t size);

/* Writes the path of the working folder. */
int linux_working_folder(char *path, int64_t size);

/* Whether the path refers to a regular file that this user may execute. */
int linux_is_program(const char *path);

/* Returns a variable of the environment; NULL if it is not set. */
const char *linux_variable(const char *name);

/* Sets a variable of the environment. */
int linux_set_variable(const char *name, const char *value);

/* Replaces this process; the arguments end with NULL. Like execvp, it runs a script without an
   interpreter line in the shell. Returns the error number. */
int linux_execute(const char *path, const char *const *arguments);

/* Writes a text to standard error and ends this process. */
void linux_end(int status, const char *text);
