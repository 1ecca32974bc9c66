/* libarchive, and typed wrappers of what Swift cannot import: macros with casts, and a variadic
   function. */
#pragma once
#include <archive.h>
#include <archive_entry.h>

/* The kinds of entries. Symbolic links and special files are refused. */
enum {
  vmx_archive_file = 0, vmx_archive_folder = 1, vmx_archive_link = 2, vmx_archive_special = 3,
  vmx_archive_hard_link = 4
};

/* Returns the kind of an entry; a hard link is one regardless of its type. */
static inline int vmx_archive_kind(struct archive_entry *entry) {
  if (archive_entry_hardlink(entry)) return vmx_archive_hard_link;
  if (archive_entry_symlink(entry)) return vmx_archive_link;
  switch (archive_entry_filetype(entry)) {
  case AE_IFREG: return vmx_archive_file;
  case AE_IFDIR: return vmx_archive_folder;
  case AE_IFLNK: return vmx_archive_link;
  default: return vmx_archive_special;
  }
}

/* Makes the entry a regular file owned by root, with mode 0644 and the modification time 0. */
static inline void vmx_archive_set_file(struct archive_entry *entry, int64_t size) {
  archive_entry_set_filetype(entry, AE_IFREG);
  archive_entry_set_perm(entry, 0644);
  archive_entry_set_uid(entry, 0);
  archive_entry_set_gid(entry, 0);
  archive_entry_set_mtime(entry, 0, 0);
  archive_entry_set_size(entry, size);
}

/* Sets the error of a failed callback. */
static inline void vmx_archive_set_error(struct archive *archive, int error) {
  archive_set_error(archive, error, "the file cannot be read or written");
}
