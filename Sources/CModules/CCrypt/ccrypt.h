/* libcrypt (crypt(3) of libxcrypt), wrapped so that its 32 KiB of state never become a Swift value
   and are wiped. */
#pragma once
#include <crypt.h>
#include <stdlib.h>
#include <string.h>

/* The sizes in bytes of a hash and of a setting, including their NULs. */
enum { vmx_crypt_size = CRYPT_OUTPUT_SIZE, vmx_crypt_setting_size = CRYPT_GENSALT_OUTPUT_SIZE };
/* The maximum length of a phrase in bytes. */
enum { vmx_crypt_longest = CRYPT_MAX_PASSPHRASE_SIZE - 1 };

/* Writes a new yescrypt setting with a cost (1 to 11; 0 for the default) and a random salt. Returns
   0, or -1 on failure. */
static inline int vmx_crypt_setting(unsigned long cost, char *setting) {
  return crypt_gensalt_rn("$y$", cost, NULL, 0, setting, CRYPT_GENSALT_OUTPUT_SIZE) ? 0 : -1;
}

/* Writes the hash of a phrase for a setting or an earlier hash. Returns 0, or -1 if memory is
   exhausted or the setting is unknown. crypt_r may report a failure as a text that begins with an
   asterisk. */
static inline int vmx_crypt_hash(const char *phrase, const char *setting, char *hash) {
  struct crypt_data *state = calloc(1, sizeof *state);
  if (!state) return -1;
  const char *made = crypt_r(phrase, setting, state);
  int is_made = made && made[0] != '*' && strlen(made) < CRYPT_OUTPUT_SIZE;
  if (is_made) memcpy(hash, made, strlen(made) + 1);
  explicit_bzero(state, sizeof *state);
  free(state);
  return is_made ? 0 : -1;
}

/* Overwrites bytes in a way that the compiler does not remove. */
static inline void vmx_crypt_wipe(void *bytes, size_t count) { explicit_bzero(bytes, count); }
