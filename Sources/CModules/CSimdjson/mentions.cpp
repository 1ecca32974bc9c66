#include "csimdjson.h"

#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace {

/* Compares sixteen bytes at a time; one result bit for each. */
class Block {
 public:
  static constexpr uint64_t size = 16;

#if defined(__x86_64__)
  explicit Block(const uint8_t *bytes)
      : bytes_(_mm_loadu_si128(reinterpret_cast<const __m128i *>(bytes))) {}

  uint32_t where(char byte) const { return bits(_mm_cmpeq_epi8(bytes_, _mm_set1_epi8(byte))); }

  uint32_t where_no_digit() const {
    const __m128i value = _mm_sub_epi8(bytes_, _mm_set1_epi8('0'));
    return 0xFFFF & ~bits(_mm_cmpeq_epi8(_mm_min_epu8(value, _mm_set1_epi8(9)), value));
  }

  bool equals(const Block &other) const {
    return bits(_mm_cmpeq_epi8(bytes_, other.bytes_)) == 0xFFFF;
  }

 private:
  static uint32_t bits(__m128i mask) { return static_cast<uint32_t>(_mm_movemask_epi8(mask)); }

  __m128i bytes_;
#else
  explicit Block(const uint8_t *bytes) { memcpy(bytes_, bytes, size); }

  uint32_t where(char byte) const {
    return bits([=](uint8_t here) { return here == static_cast<uint8_t>(byte); });
  }

  uint32_t where_no_digit() const {
    return bits([](uint8_t here) { return here < '0' || here > '9'; });
  }

  bool equals(const Block &other) const { return memcmp(bytes_, other.bytes_, size) == 0; }

 private:
  template <typename Test>
  uint32_t bits(Test test) const {
    uint32_t mask = 0;
    for (uint64_t i = 0; i < size; i++) mask |= static_cast<uint32_t>(test(bytes_[i])) << i;
    return mask;
  }

  uint8_t bytes_[size];
#endif
};

/* The id and the identity keys to search for. */
struct Wanted {
  const uint8_t *id;
  uint64_t id_length;
  const uint8_t *keys;
  uint64_t count;
};

enum class Answer { no, yes, unsure };

/* A parser of the beginning of a line in the form that vmx writes. */
class Start {
 public:
  Start(const uint8_t *line, uint64_t length) : at_(line), end_(line + length) {}

  /* Whether the caller must inspect the line. */
  bool mentions(const Wanted &wanted) {
    if (!has(shortest) || !takes("{\"kind\":\"")) return true;
    const bool is_episode = takes("episode\"");
    if (!is_episode && (takes("root\"") || !takes_text())) return true;
    if (!takes(",\"id\":\"")) return true;
    const uint8_t *id = at_;
    if (!takes_text()) return true;
    const auto length = static_cast<uint64_t>(at_ - 1 - id);
    if (length == wanted.id_length && memcmp(id, wanted.id, length) == 0) return true;
    /* Another id; of such lines only episodes have identity keys. */
    if (!is_episode || wanted.count == 0) return false;
    const Answer answer = holds_key(wanted);
    if (answer != Answer::unsure) return answer == Answer::yes;
    return may_hold_key(wanted);
  }

 private:
  /* Whether the fields after the id begin with a wanted identity key. */
  Answer holds_key(const Wanted &wanted) {
    if (!takes(",\"seq\":") || !takes_number() || !takes(",\"at\":\"") || !takes_text()) {
      return Answer::unsure;
    }
    if (takes(",\"txn\":\"") && !takes_text()) return Answer::unsure;
    takes(",\"commit\":true");
    if (!takes(",\"identity\":[")) return Answer::unsure;
    while (has(vmx_key_length + 1)) {
      if (*at_ == ']') return Answer::no;
      const Block hash(at_ + hash_place);
      const bool is_ours = at_[0] == '"' && at_[2] == ':' && at_[vmx_key_length - 1] == '"';
      if (!is_ours || (hash.where('"') | hash.where('\\')) != 0) return Answer::unsure;
      for (uint64_t i = 0; i < wanted.count; i++) {
        const uint8_t *key = wanted.keys + i * vmx_key_length;
        if (hash.equals(Block(key + hash_place)) && at_[1] == key[1]) return Answer::yes;
      }
      at_ += vmx_key_length;
      if (*at_ == ']') return Answer::no;
      if (!takes(",")) return Answer::unsure;
    }
    return Answer::unsure;
  }

  /* Whether the rest of the line contains a wanted identity key, or an escape that may hide one. */
  bool may_hold_key(const Wanted &wanted) const {
    const auto left = static_cast<uint64_t>(end_ - at_);
    static const uint8_t escape[] = {'\\', 'u'};
    if (vmx_find(at_, left, escape, sizeof escape) != nullptr) return true;
    for (uint64_t i = 0; i < wanted.count; i++) {
      const uint8_t *key = wanted.keys + i * vmx_key_length;
      if (vmx_find(at_, left, key, vmx_key_length) != nullptr) return true;
    }
    return false;
  }

  /* The minimum length in bytes of a line in the form that vmx writes. */
  static constexpr uint64_t shortest = 64;

  /* The offset in a key of its 16 digits. */
  static constexpr uint64_t hash_place = 3;

  bool has(uint64_t count) const { return count <= static_cast<uint64_t>(end_ - at_); }

  /* Consumes the expected bytes if they are next. */
  template <uint64_t size>
  bool takes(const char (&text)[size]) {
    if (!has(size - 1) || memcmp(at_, text, size - 1) != 0) return false;
    at_ += size - 1;
    return true;
  }

  /* Consumes a text without escapes and its closing quote. */
  bool takes_text() {
    while (has(Block::size)) {
      const Block here(at_);
      const uint32_t ends = here.where('"');
      const uint32_t marks = ends | here.where('\\');
      if (marks == 0) {
        at_ += Block::size;
        continue;
      }
      const int place = __builtin_ctz(marks);
      at_ += place + 1;
      return ends >> place & 1;
    }
    return false;
  }

  bool takes_number() {
    if (!has(Block::size)) return false;
    const uint32_t ends = Block(at_).where_no_digit();
    if (ends == 0) return false;
    at_ += __builtin_ctz(ends);
    return true;
  }

  const uint8_t *at_;
  const uint8_t *end_;
};

}  // namespace

int64_t vmx_find_mention(const uint8_t *bytes, uint64_t length, uint64_t stop, const uint8_t *id,
                         uint64_t id_length, const uint8_t *keys, uint64_t count) {
  const Wanted wanted{id, id_length, keys, count};
  uint64_t start = 0;
  while (start < stop) {
    const void *newline = memchr(bytes + start, '\n', length - start);
    const uint64_t end = newline == nullptr
                             ? length
                             : static_cast<uint64_t>(static_cast<const uint8_t *>(newline) - bytes);
    if (end > start && Start(bytes + start, end - start).mentions(wanted)) {
      return static_cast<int64_t>(start);
    }
    start = end + 1;
  }
  return -1;
}
