/* Multi-buffer SHA-256 of eight texts of equal length: each register holds one word of every text.
   For processors with AVX2 but without SHA-256 instructions, where eight texts take little longer
   than one. */
#pragma once
#include <stddef.h>
#include <stdint.h>

enum { sha256x8_count = 8, sha256x8_block = 64 };

/* The hash state of eight texts: word by word, in each the words of all texts. */
struct sha256x8_state {
  uint32_t words[8 * sha256x8_count];
};

/* Whether eight texts in parallel are faster on this processor than one after another. */
int sha256x8_worthwhile(void);

/* The minimum number of texts for which that holds. */
int sha256x8_fewest(void);

/* Initialises the state of eight texts. */
void sha256x8_begin(struct sha256x8_state *state);

/* Appends length bytes, a multiple of the block size, to each text; only if sha256x8_worthwhile. The
   input of each text begins stride bytes after that of the previous one. */
void sha256x8_update(struct sha256x8_state *state, const uint8_t *texts, size_t stride, size_t length);

/* Finishes eight texts of length bytes each, a multiple of the block size; writes 32 bytes per
   text. */
void sha256x8_finish(struct sha256x8_state *state, uint64_t length, uint8_t *digests);
