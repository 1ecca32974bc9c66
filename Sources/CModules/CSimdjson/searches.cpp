#include "csimdjson.h"

#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

const uint8_t *vmx_find(const uint8_t *bytes, uint64_t length, const uint8_t *needle,
                        uint64_t needle_length) {
  if (needle_length == 0 || length < needle_length) return nullptr;
  uint64_t at = 0;
  const uint64_t last_start = length - needle_length;
#if defined(__x86_64__)
  /* Positions where both the first and the last byte match are few; only there the rest is
     compared. */
  const __m128i first = _mm_set1_epi8(static_cast<char>(needle[0]));
  const __m128i last = _mm_set1_epi8(static_cast<char>(needle[needle_length - 1]));
  while (at + 15 <= last_start) {
    const auto *front = reinterpret_cast<const __m128i *>(bytes + at);
    const auto *back = reinterpret_cast<const __m128i *>(bytes + at + needle_length - 1);
    const __m128i fits = _mm_and_si128(_mm_cmpeq_epi8(_mm_loadu_si128(front), first),
                                       _mm_cmpeq_epi8(_mm_loadu_si128(back), last));
    uint32_t mask = static_cast<uint32_t>(_mm_movemask_epi8(fits));
    while (mask != 0) {
      const uint64_t place = at + static_cast<uint64_t>(__builtin_ctz(mask));
      if (memcmp(bytes + place, needle, needle_length) == 0) return bytes + place;
      mask &= mask - 1;
    }
    at += 16;
  }
#endif
  for (; at <= last_start; at++) {
    if (bytes[at] == needle[0] && memcmp(bytes + at, needle, needle_length) == 0) {
      return bytes + at;
    }
  }
  return nullptr;
}

namespace {

/* Whether a line in the form that vmx writes may have the id or is a root record, or is not in that
   form. */
bool may_name(const uint8_t *line, uint64_t length, const uint8_t *id, uint64_t id_length) {
  static const char start[] = "{\"kind\":\"";
  static const char middle[] = "\",\"id\":\"";
  const uint64_t start_length = sizeof start - 1;
  static const char root[] = "root\"";
  const uint64_t middle_length = sizeof middle - 1;
  if (length < 64 || memcmp(line, start, start_length) != 0) return length > 0;
  uint64_t at = start_length;
  if (memcmp(line + at, root, sizeof root - 1) == 0) return true;
  while (at < 64 && line[at] != '"' && line[at] != '\\') at++;
  if (at + middle_length > length || memcmp(line + at, middle, middle_length) != 0) return true;
  at += middle_length;
  if (at + id_length < length && line[at + id_length] == '"' &&
      memcmp(line + at, id, id_length) == 0) {
    return true;
  }
  /* Another id, unless it contains escapes. */
  const void *quote = memchr(line + at, '"', length - at);
  if (quote == nullptr) return true;
  const auto found = static_cast<uint64_t>(static_cast<const uint8_t *>(quote) - line);
  return memchr(line + at, '\\', found - at) != nullptr;
}

}  // namespace

int64_t vmx_find_line_back(const uint8_t *bytes, uint64_t length, const uint8_t *id,
                           uint64_t id_length) {
  /* The last byte is the newline of the last line. */
  while (length > 0) {
    const uint64_t stop = length - 1;
    const void *newline = stop == 0 ? nullptr : memrchr(bytes, '\n', stop);
    const uint64_t start =
        newline == nullptr
            ? 0
            : static_cast<uint64_t>(static_cast<const uint8_t *>(newline) - bytes) + 1;
    if (may_name(bytes + start, stop - start, id, id_length)) {
      return static_cast<int64_t>(start);
    }
    length = start;
  }
  return -1;
}

const uint8_t *vmx_find_last_newline(const uint8_t *bytes, uint64_t length) {
  return length == 0 ? nullptr : static_cast<const uint8_t *>(memrchr(bytes, '\n', length));
}
