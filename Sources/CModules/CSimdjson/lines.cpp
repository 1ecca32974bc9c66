#include "csimdjson.h"

#include <algorithm>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace {

/* Records the ends of lines and the positions of matches in them. */
class Scan {
 public:
  Scan(const uint8_t *bytes, uint64_t length, const uint8_t *needle, uint64_t needle_length,
       vmx_line *lines)
      : bytes_(bytes), length_(length), needle_(needle), needle_length_(needle_length),
        lines_(lines) {}

  /* Scans the bytes until `room` lines are recorded or a line ends at or after `stop`. */
  uint64_t run(uint64_t stop, uint64_t room) {
    stop_ = stop;
    room_ = room;
    begin(0);
    uint64_t at = 0;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) at = blocks();
#endif
    while (!is_done_ && at < length_) byte(at++);
    if (!is_done_ && start_ < length_) end(length_);
    return count_;
  }

 private:
  [[gnu::always_inline]] void begin(uint64_t start) {
    start_ = start;
    line_ = {start, 0, 0, 0};
  }

  [[gnu::always_inline]] void end(uint64_t at) {
    line_.length = at - start_;
    lines_[count_++] = line_;
    begin(at + 1);
    is_done_ = count_ == room_ || start_ >= stop_;
  }

  [[gnu::always_inline]] void found(uint64_t at) {
    if (line_.marks & vmx_line_holds) {
      line_.marks |= vmx_line_again;
    } else {
      line_.found = at - start_;
      line_.marks |= vmx_line_holds;
    }
  }

  bool escapes(uint64_t at) const { return at + 1 < length_ && bytes_[at + 1] == 'u'; }

  bool begins(uint64_t at) const {
    return needle_length_ > 0 && at + needle_length_ <= length_ &&
           memcmp(bytes_ + at, needle_, needle_length_) == 0;
  }

  [[gnu::always_inline]] void byte(uint64_t at) {
    if (bytes_[at] == '\n') {
      end(at);
      return;
    }
    if (bytes_[at] == '\\' && escapes(at)) line_.marks |= vmx_line_escapes;
    if (begins(at)) found(at);
  }

#if defined(__x86_64__)
  /* Scans 32 bytes at a time. It first compares three bytes of the needle: few strings begin with
     the same quote and letter, and fewer of them have the same length. */
  __attribute__((target("avx2"))) uint64_t blocks() {
    const bool has_needle = needle_length_ > 0;
    const uint64_t far = has_needle ? needle_length_ - 1 : 0;
    const uint64_t next = std::min<uint64_t>(1, far);
    const auto all = [](uint8_t byte) __attribute__((target("avx2"))) {
      return _mm256_set1_epi8(static_cast<char>(byte));
    };
    const auto load = [](const uint8_t *from) __attribute__((target("avx2"))) {
      return _mm256_loadu_si256(reinterpret_cast<const __m256i *>(from));
    };
    const __m256i newline = all('\n');
    const __m256i backslash = all('\\');
    const __m256i first = all(has_needle ? needle_[0] : 0);
    const __m256i second = all(has_needle ? needle_[next] : 0);
    const __m256i last = all(has_needle ? needle_[far] : 0);
    uint64_t at = 0;
    for (; at + 32 + std::max<uint64_t>(needle_length_, 1) <= length_ && !is_done_; at += 32) {
      const __m256i here = load(bytes_ + at);
      __m256i fits = _mm256_or_si256(_mm256_cmpeq_epi8(here, newline),
                                     _mm256_cmpeq_epi8(here, backslash));
      if (has_needle) {
        const __m256i ends = _mm256_and_si256(_mm256_cmpeq_epi8(here, first),
                                              _mm256_cmpeq_epi8(load(bytes_ + at + far), last));
        const __m256i begins =
            _mm256_and_si256(ends, _mm256_cmpeq_epi8(load(bytes_ + at + next), second));
        fits = _mm256_or_si256(fits, begins);
      }
      auto mask = static_cast<uint32_t>(_mm256_movemask_epi8(fits));
      while (mask != 0 && !is_done_) {
        byte(at + static_cast<uint64_t>(__builtin_ctz(mask)));
        mask &= mask - 1;
      }
    }
    return at;
  }
#endif

  const uint8_t *bytes_;
  const uint64_t length_;
  const uint8_t *needle_;
  const uint64_t needle_length_;
  vmx_line *lines_;
  uint64_t stop_ = 0;
  uint64_t room_ = 0;
  uint64_t count_ = 0;
  uint64_t start_ = 0;
  vmx_line line_{};
  bool is_done_ = false;
};

}  // namespace

uint64_t vmx_scan_lines(const uint8_t *bytes, uint64_t length, uint64_t stop,
                        const uint8_t *needle, uint64_t needle_length, vmx_line *lines,
                        uint64_t room) {
  if (length == 0 || stop == 0 || room == 0) return 0;
  return Scan(bytes, length, needle, needle_length, lines).run(stop, room);
}
