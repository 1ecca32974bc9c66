#include "csimdjson.h"

#include <simdjson.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <string_view>
#include <vector>

static_assert(vmx_json_padding >= simdjson::SIMDJSON_PADDING);

namespace {

/* An open object or array during the walk of the tape. */
struct Frame {
  uint64_t start;
  uint64_t seen[4];
  bool is_object;
  bool is_large;
};

/* Objects with more keys are checked for duplicates by sorting. */
constexpr uint64_t large_object = 64;

/* Returns one of 256 buckets for a key: keys in different buckets differ. simdjson pads its
   strings, so that eight bytes of each can be read. */
uint8_t key_place(std::string_view key) {
  uint64_t front;
  memcpy(&front, key.data(), sizeof front);
  if (key.size() < sizeof front) front &= ~(~uint64_t{0} << (8 * key.size()));
  const uint64_t last = key.empty() ? 0 : static_cast<unsigned char>(key.back());
  return static_cast<uint8_t>(((front + last + key.size()) * 0x9E3779B97F4A7C15) >> 56);
}

}  // namespace

struct vmx_json_parser {
  simdjson::dom::parser parser;
  std::vector<std::string_view> keys;
  std::vector<Frame> frames;

  std::string_view text(const vmx_json_tape &tape, uint64_t word) const {
    const uint8_t *start = tape.strings + (word & simdjson::internal::JSON_VALUE_MASK);
    uint32_t length;
    memcpy(&length, start, sizeof length);
    return {reinterpret_cast<const char *>(start + sizeof length), length};
  }

  void open(uint64_t at, uint64_t word, bool is_object) {
    const uint64_t count = (word >> 32) & 0xFFFFFF;
    frames.push_back({at, {}, is_object, count > large_object});
  }

  /* Adds the key at an index of the tape; false if its object already has it. */
  bool take_key(const vmx_json_tape &tape, uint64_t at, std::string_view key) {
    Frame &frame = frames.back();
    if (frame.is_large) return true;
    const uint8_t place = key_place(key);
    uint64_t &seen = frame.seen[place >> 6];
    const uint64_t bit = uint64_t{1} << (place & 63);
    const bool may_be_there = (seen & bit) != 0;
    seen |= bit;
    if (!may_be_there) return true;
    collect_keys(tape, frame.start, at);
    return std::find(keys.begin(), keys.end(), key) == keys.end();
  }

  /* Collects the keys of an object from its start up to an index of the tape. */
  void collect_keys(const vmx_json_tape &tape, uint64_t start, uint64_t end) {
    keys.clear();
    for (uint64_t at = start + 1; at < end; at = behind(tape, at + 1)) {
      keys.push_back(text(tape, tape.words[at]));
    }
  }

  /* Returns the index after a value. */
  static uint64_t behind(const vmx_json_tape &tape, uint64_t at) {
    const uint64_t word = tape.words[at];
    switch (static_cast<char>(word >> 56)) {
      case '{':
      case '[':
        return word & 0xFFFFFFFF;
      case 'l':
      case 'u':
      case 'd':
        return at + 2;
      default:
        return at + 1;
    }
  }

  /* Closes the innermost container, which ends at an index of the tape; false if it is a large
     object with a duplicate key. */
  bool close(const vmx_json_tape &tape, uint64_t at) {
    const Frame frame = frames.back();
    frames.pop_back();
    if (!frame.is_large || !frame.is_object) return true;
    collect_keys(tape, frame.start, at);
    std::sort(keys.begin(), keys.end());
    return std::adjacent_find(keys.begin(), keys.end()) == keys.end();
  }

  /* Walks the tape once for violations that the grammar does not exclude. */
  int32_t check(const vmx_json_tape &tape, bool refuse_nul) {
    const uint64_t end = tape.words[0] & simdjson::internal::JSON_VALUE_MASK;
    frames.clear();
    bool expects_key = false;
    for (uint64_t i = 1; i + 1 < end; i++) {
      const uint64_t word = tape.words[i];
      const char type = static_cast<char>(word >> 56);
      switch (type) {
        case '{':
        case '[':
          open(i, word, type == '{');
          /* simdjson does not count an empty container as a level. */
          if (frames.size() > vmx_json_deepest) return VMX_JSON_SYNTAX;
          expects_key = type == '{';
          continue;
        case '}':
        case ']':
          if (!close(tape, i)) return VMX_JSON_DUPLICATE;
          break;
        case '"': {
          const bool is_key = expects_key;
          if (is_key || refuse_nul) {
            const std::string_view value = text(tape, word);
            if (refuse_nul && memchr(value.data(), 0, value.size())) return VMX_JSON_NUL;
            if (is_key && !take_key(tape, i, value)) return VMX_JSON_DUPLICATE;
          }
          if (is_key) {
            expects_key = false;
            continue;
          }
          break;
        }
        case 'l':
        case 'u':
        case 'd':
          i++;
          break;
        default:
          break;
      }
      expects_key = !frames.empty() && frames.back().is_object;
    }
    return VMX_JSON_OK;
  }
};

vmx_json_parser *vmx_json_parser_new(void) { return new (std::nothrow) vmx_json_parser; }

void vmx_json_parser_free(vmx_json_parser *parser) { delete parser; }

int32_t vmx_json_parse(vmx_json_parser *parser, const uint8_t *bytes, uint64_t length,
                       int32_t refuse_nul, vmx_json_tape *tape) try {
  if (parser->parser.capacity() < length) {
    const uint64_t capacity = std::max<uint64_t>(4096, length + length / 2);
    if (parser->parser.allocate(capacity, vmx_json_deepest + 1)) return VMX_JSON_MEMORY;
  }
  simdjson::dom::element root;
  if (parser->parser.parse(bytes, length, false).get(root)) return VMX_JSON_SYNTAX;
  tape->words = parser->parser.doc.tape.get();
  tape->strings = parser->parser.doc.string_buf.get();
  return parser->check(*tape, refuse_nul != 0);
} catch (...) {
  return VMX_JSON_MEMORY;
}
