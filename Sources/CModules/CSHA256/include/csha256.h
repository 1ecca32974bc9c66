/* Multi-buffer SHA-256: eight texts side by side, each register holds one word of every text. */
#pragma once
#include <stddef.h>
#include <stdint.h>

enum { sha256x8_count = 8, sha256x8_block = 64 };

/* The compiled forms of the same function, from the narrowest registers to the widest. */
enum sha256x8_path { sha256x8_plain, sha256x8_avx2, sha256x8_avx512 };

/* The hash state of eight texts: word by word, in each the words of all texts. */
struct sha256x8_state {
  uint32_t words[8 * sha256x8_count];
};

/* The widest path that this processor can execute. */
unsigned sha256x8_widest(void);

/* The minimum number of texts for which the widest path is faster than libcrypto, one text after
   another; more than sha256x8_count if it never is. */
int sha256x8_fewest(void);

/* Initialises the state of eight texts. */
void sha256x8_begin(struct sha256x8_state *state);

/* Appends length bytes, a multiple of the block size, to each text. The input of each text begins
   stride bytes after that of the previous one. The processor must support the path. */
void sha256x8_update(struct sha256x8_state *state, unsigned path, const uint8_t *texts,
                     size_t stride, size_t length);
