/* The digest functions of libcrypto and its Base64 decoder, imported as they are. */
#pragma once
#include <openssl/evp.h>
