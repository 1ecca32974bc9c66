/* SHA-256 of eight texts of one length at once, a word of each in one register: for processors that
   have AVX2 and no instructions for SHA-256, where eight take little longer than one. */
#pragma once
#include <stddef.h>
#include <stdint.h>

enum { lanes_count = 8, lanes_block = 64 };

/* What was digested of eight texts: word by word, in each the words of all texts. */
struct lanes_state {
  uint32_t words[8 * lanes_count];
};

/* Whether this processor digests eight texts sooner together than one by one. */
int lanes_worthwhile(void);

/* How many texts it takes for that. */
int lanes_fewest(void);

/* Begins eight texts. */
void lanes_begin(struct lanes_state *state);

/* Feeds so many bytes, whole blocks all, of each text; only where lanes_worthwhile. The texts
   lie one behind another, each so many bytes behind the one before. */
void lanes_update(struct lanes_state *state, const uint8_t *texts, size_t stride, size_t length);

/* Ends the texts, which were so many bytes each, whole blocks all; gives 32 bytes a text. */
void lanes_finish(struct lanes_state *state, uint64_t length, uint8_t *digests);
