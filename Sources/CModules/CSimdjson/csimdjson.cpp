#include "csimdjson.h"

#include <simdjson.h>

const uint64_t vmx_json_padding = simdjson::SIMDJSON_PADDING;
