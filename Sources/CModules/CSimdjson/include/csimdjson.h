/* A plain C interface to simdjson, and searches in bytes at memory speed. */
#pragma once
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  /* The number of readable bytes that must follow every buffer given to the parser. */
  vmx_json_padding = 64,
  /* The maximum nesting depth. */
  vmx_json_deepest = 512,
};

typedef struct vmx_json_parser vmx_json_parser;

/* The result of a parse. */
enum {
  VMX_JSON_OK = 0,
  VMX_JSON_SYNTAX = 1,
  VMX_JSON_DUPLICATE = 2,
  VMX_JSON_NUL = 3,
  VMX_JSON_MEMORY = 4,
  /* The other reasons that vmx_json_fault returns. */
  VMX_JSON_END = 5,
  VMX_JSON_NUMBER = 6,
  VMX_JSON_ESCAPE = 7,
  VMX_JSON_VALUE = 8,
  VMX_JSON_CONTROL = 9,
  VMX_JSON_UTF8 = 10,
  VMX_JSON_DEPTH = 11,
  VMX_JSON_TRAILING = 12,
};

/* The tape of the last parse: see "tape.md" of simdjson. Valid until the next parse. */
typedef struct {
  const uint64_t *words;
  const uint8_t *strings;
} vmx_json_tape;

/* Creates a parser; null if memory is exhausted. */
vmx_json_parser *vmx_json_parser_new(void);
void vmx_json_parser_free(vmx_json_parser *parser);

/* Parses one document. Rejects duplicate keys in an object and, if requested, NULs in strings.
   vmx_json_padding bytes after the end must be readable; their values do not matter. */
int32_t vmx_json_parse(vmx_json_parser *parser, const uint8_t *bytes, uint64_t length,
                       int32_t refuse_nul, vmx_json_tape *tape);

/* Returns the reason for which a text is rejected, and the offset of the token where the parser
   stopped. Slow. */
int32_t vmx_json_fault(const uint8_t *bytes, uint64_t length, uint64_t *offset);

/* Returns the first occurrence of the needle (1 to 256 bytes) in bytes, or null. */
const uint8_t *vmx_find(const uint8_t *bytes, uint64_t length, const uint8_t *needle,
                        uint64_t needle_length);

/* Searches lines backwards, the last of which ends with the last byte. Returns the offset of the
   first match: a line with "id":"…" as its second field, a line that begins with {"kind":"root", or
   a line that must be parsed, because it does not begin with {"kind":"…","id":"…" without escapes.
   Returns -1 if there is none. */
int64_t vmx_find_line_back(const uint8_t *bytes, uint64_t length, const uint8_t *id,
                           uint64_t id_length);

/* The length in bytes of an identity key in the store, with its quotes: "u:0123456789abcdef". */
enum { vmx_key_length = 20 };

/* Returns the offset of the first matching line that begins before stop, or -1. A line matches if
   it has the id, if it is an episode with one of the keys (vmx_key_length bytes each), or if it is
   a root record. A line not in the form that vmx writes matches if it may be any of these. An empty
   id matches no line. Of a line in that form only the beginning is inspected. */
int64_t vmx_find_mention(const uint8_t *bytes, uint64_t length, uint64_t stop, const uint8_t *id,
                         uint64_t id_length, const uint8_t *keys, uint64_t count);

/* A line of a buffer, and the result of the search in it. */
typedef struct {
  /* The offset of its first byte. */
  uint64_t start;
  /* The number of bytes without the newline. */
  uint64_t length;
  /* The offset in the line of the first occurrence of the needle, if the marks report one. */
  uint64_t found;
  /* A combination of the marks below. */
  uint64_t marks;
} vmx_line;

enum {
  /* The line contains a backslash followed by a u. */
  vmx_line_escapes = 1,
  /* The line contains the needle. */
  vmx_line_holds = 2,
  /* The line contains the needle more than once. */
  vmx_line_again = 4,
};

/* Records up to `room` lines that begin before stop, in one pass; the last one may lack its
   newline. An empty needle never matches; a needle contains no newline. Returns the number of
   recorded lines. */
uint64_t vmx_scan_lines(const uint8_t *bytes, uint64_t length, uint64_t stop,
                        const uint8_t *needle, uint64_t needle_length, vmx_line *lines,
                        uint64_t room);

/* Returns the last newline, or null. */
const uint8_t *vmx_find_last_newline(const uint8_t *bytes, uint64_t length);

#ifdef __cplusplus
}
#endif
