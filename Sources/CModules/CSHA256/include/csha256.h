/* SHA-256 of eight texts of one length at once, a word of each in one register: for processors that
   have AVX2 and no instructions for SHA-256, where eight take little longer than one. */
#pragma once
#include <stddef.h>
#include <stdint.h>

enum { sha256x8_count = 8, sha256x8_block = 64 };

/* What was digested of eight texts: word by word, in each the words of all texts. */
struct sha256x8_state {
  uint32_t words[8 * sha256x8_count];
};

/* Whether this processor digests eight texts sooner together than one by one. */
int sha256x8_worthwhile(void);

/* How many texts it takes for that. */
int sha256x8_fewest(void);

/* Begins eight texts. */
void sha256x8_begin(struct sha256x8_state *state);

/* Feeds so many bytes, whole blocks all, of each text; only where sha256x8_worthwhile. The texts
   lie one behind another, each so many bytes behind the one before. */
void sha256x8_update(struct sha256x8_state *state, const uint8_t *texts, size_t stride, size_t length);

/* Ends the texts, which were so many bytes each, whole blocks all; gives 32 bytes a text. */
void sha256x8_finish(struct sha256x8_state *state, uint64_t length, uint8_t *digests);
