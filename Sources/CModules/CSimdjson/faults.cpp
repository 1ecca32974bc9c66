#include "csimdjson.h"

#include <simdjson.h>

#include <string>
#include <unordered_set>
#include <utility>

using namespace simdjson;

namespace {

/* Walks an array of one document with simdjson's On-Demand API, which reports where it stopped. The
   array is added around the text, because On-Demand reports no position for an unclosed document
   or for data after a document. */
struct FaultFinder {
  ondemand::parser parser;
  ondemand::document document;
  const char *place = nullptr;
  int32_t reason = VMX_JSON_SYNTAX;
  uint32_t documents = 0;

  bool fail(int32_t why) {
    reason = why;
    return false;
  }

  /* Records the position of the next token; null at the end of the text. */
  void mark() {
    if (document.current_location().get(place)) place = nullptr;
  }

  bool fail(error_code error) {
    switch (error) {
      case INCOMPLETE_ARRAY_OR_OBJECT:
      case OUT_OF_BOUNDS:
      case EMPTY:
        place = nullptr;
        return fail(VMX_JSON_END);
      case NUMBER_ERROR:
      case NUMBER_OUT_OF_RANGE:
        return fail(VMX_JSON_NUMBER);
      case STRING_ERROR:
        return fail(VMX_JSON_ESCAPE);
      case T_ATOM_ERROR:
      case F_ATOM_ERROR:
      case N_ATOM_ERROR:
      case INCORRECT_TYPE:
        return fail(VMX_JSON_VALUE);
      default:
        /* A brace, bracket, comma, colon, key or value is missing where it stopped. */
        if (error == TAPE_ERROR) mark();
        return fail(VMX_JSON_SYNTAX);
    }
  }

  bool text(simdjson_result<std::string_view> result) {
    std::string_view text;
    if (const error_code error = std::move(result).get(text)) return fail(error);
    return text.find('\0') == text.npos || fail(VMX_JSON_NUL);
  }

  bool object(ondemand::object object, uint32_t depth) {
    std::unordered_set<std::string> keys;
    for (auto result : object) {
      ondemand::field field;
      if (const error_code error = std::move(result).get(field)) return fail(error);
      place = field.key().raw() - 1;
      std::string_view key;
      if (const error_code error = field.unescaped_key().get(key)) return fail(error);
      if (key.find('\0') != key.npos) return fail(VMX_JSON_NUL);
      if (!keys.emplace(key).second) return fail(VMX_JSON_DUPLICATE);
      if (!value(field.value(), depth + 1)) return false;
    }
    return true;
  }

  bool array(ondemand::array array, uint32_t depth) {
    for (auto element : array) {
      ondemand::value inner;
      if (const error_code error = element.get(inner)) {
        fail(error);
        if (depth == 0) reason = VMX_JSON_TRAILING;
        return false;
      }
      if (depth == 0 && ++documents > 1) return fail(VMX_JSON_TRAILING);
      if (!value(inner, depth + 1)) return false;
    }
    return true;
  }

  /* Walks a value, or the array itself. */
  template <typename Value> bool value(Value &&value, uint32_t depth) {
    mark();
    ondemand::json_type type;
    if (const error_code error = value.type().get(type)) return fail(error);
    switch (type) {
      case ondemand::json_type::object: {
        ondemand::object inner;
        if (depth > vmx_json_deepest) return fail(VMX_JSON_DEPTH);
        if (const error_code error = value.get_object().get(inner)) return fail(error);
        return object(inner, depth);
      }
      case ondemand::json_type::array: {
        ondemand::array inner;
        if (depth > vmx_json_deepest) return fail(VMX_JSON_DEPTH);
        if (const error_code error = value.get_array().get(inner)) return fail(error);
        return array(inner, depth);
      }
      case ondemand::json_type::string:
        return text(value.get_string());
      case ondemand::json_type::number: {
        ondemand::number number;
        const error_code error = value.get_number().get(number);
        return error ? fail(error) : true;
      }
      case ondemand::json_type::boolean: {
        bool truth;
        const error_code error = value.get_bool().get(truth);
        return error ? fail(error) : true;
      }
      default: {
        bool is_null = false;
        const error_code error = value.is_null().get(is_null);
        return (!error && is_null) || fail(VMX_JSON_VALUE);
      }
    }
  }

  bool walk(const padded_string &text) {
    if (const error_code error = parser.allocate(text.size(), vmx_json_deepest + 4)) {
      return fail(error);
    }
    const error_code error = parser.iterate(text).get(document);
    if (error == UNCLOSED_STRING) return fail(EMPTY);
    if (error == UNESCAPED_CHARS) return fail(VMX_JSON_CONTROL);
    if (error == UTF8_ERROR) return fail(VMX_JSON_UTF8);
    if (error) return fail(error);
    return value(document, 0);
  }
};

/* Returns the first control character within a string. */
const char *control_character(const char *bytes, uint64_t length) {
  bool is_within = false;
  for (uint64_t at = 0; at < length; at++) {
    if (is_within && static_cast<unsigned char>(bytes[at]) < 0x20) return bytes + at;
    if (bytes[at] == '"') is_within = !is_within;
    const bool is_escape = is_within && bytes[at] == '\\' && at + 1 < length;
    if (is_escape && static_cast<unsigned char>(bytes[at + 1]) >= 0x20) at++;
  }
  return nullptr;
}

}  // namespace

int32_t vmx_json_fault(const uint8_t *bytes, uint64_t length, uint64_t *offset) try {
  const std::string_view text(reinterpret_cast<const char *>(bytes), length);
  const padded_string array("[" + std::string(text) + "]");
  const char *start = array.data() + 1;
  FaultFinder finder;
  finder.walk(array);
  if (finder.reason == VMX_JSON_CONTROL) finder.place = control_character(start, length);
  const bool is_within = finder.place >= start && finder.place < start + length;
  *offset = is_within ? static_cast<uint64_t>(finder.place - start) : length;
  return is_within || finder.reason == VMX_JSON_UTF8 ? finder.reason : VMX_JSON_END;
} catch (...) {
  *offset = 0;
  return VMX_JSON_MEMORY;
}
