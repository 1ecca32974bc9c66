/* simdjson behind plain C. */
#pragma once
#include <stdint.h>

/* Readable bytes that must follow every buffer given to the parser. */
extern const uint64_t vmx_json_padding;
