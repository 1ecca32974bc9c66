/* simdjson behind plain C, and searches over bytes at memory speed. */
#pragma once
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Readable bytes that must follow every buffer given to the parser. */
extern const uint64_t vmx_json_padding;

/* Nesting that is still read. */
extern const uint32_t vmx_json_deepest;

typedef struct vmx_json_parser vmx_json_parser;

/* What a parse ended with. */
enum {
  VMX_JSON_OK = 0,
  VMX_JSON_SYNTAX = 1,
  VMX_JSON_DUPLICATE = 2,
  VMX_JSON_NUL = 3,
  VMX_JSON_MEMORY = 4,
};

/* The tape of the last parse: see "tape.md" of simdjson. Valid until the next parse. */
typedef struct {
  const uint64_t *words;
  const uint8_t *strings;
} vmx_json_tape;

/* A parser; null when there is no memory. */
vmx_json_parser *vmx_json_parser_new(void);
void vmx_json_parser_free(vmx_json_parser *parser);

/* Parses one document, checks that no object names a key twice and, if asked, that no string
   holds a NUL. vmx_json_padding bytes after the end must be readable; what they are is no matter. */
int32_t vmx_json_parse(vmx_json_parser *parser, const uint8_t *bytes, uint64_t length,
                       int32_t refuse_nul, vmx_json_tape *tape);

/* First place of the needle (1 to 256 bytes) at or after bytes, or null. */
const uint8_t *vmx_find(const uint8_t *bytes, uint64_t length, const uint8_t *needle,
                        uint64_t needle_length);

/* Goes backwards over lines, the last of which ends with the last byte. Gives the offset of the
   first one met that has "id":"…" as its second field, that begins with {"kind":"root", or that
   does not begin with {"kind":"…","id":"…" without escapes, so that it must be parsed; -1 if there
   is none. */
int64_t vmx_find_line_back(const uint8_t *bytes, uint64_t length, const uint8_t *id,
                           uint64_t id_length);

/* Bytes of a key of evidence in the store, with its quotes: "u:0123456789abcdef". */
enum { vmx_key_length = 20 };

/* Gives the offset of the first line that begins before stop and has the id, is of kind episode and
   has one of the keys (vmx_key_length bytes each) among its evidence, is of kind root, or is not
   written as our writer writes and may be any of that; -1 if there is none. An id of no bytes is no
   line's. Of a line in our form it looks at nothing but the start. */
int64_t vmx_find_mention(const uint8_t *bytes, uint64_t length, uint64_t stop, const uint8_t *id,
                         uint64_t id_length, const uint8_t *keys, uint64_t count);

/* One line among others, and what stands in it. */
typedef struct {
  /* Offset of its first byte. */
  uint64_t start;
  /* Bytes without the newline. */
  uint64_t length;
  /* Where in the line the needle begins first, if the marks say that it does. */
  uint64_t found;
  /* Any of the marks below. */
  uint64_t marks;
} vmx_line;

enum {
  /* A backslash and a u stand next to each other. */
  vmx_line_escapes = 1,
  /* The needle stands in it, */
  vmx_line_holds = 2,
  /* and more than once. */
  vmx_line_again = 4,
};

/* Notes the lines that begin before stop, room of them at most, in one pass; the last one may lack
   its newline. A needle of no bytes is nowhere; it holds no newline. Gives how many are noted. */
uint64_t vmx_scan_lines(const uint8_t *bytes, uint64_t length, uint64_t stop,
                        const uint8_t *needle, uint64_t needle_length, vmx_line *lines,
                        uint64_t room);

/* The last newline, or null. */
const uint8_t *vmx_find_last_newline(const uint8_t *bytes, uint64_t length);

#ifdef __cplusplus
}
#endif
