/* The digest functions of libcrypto: EVP_* are imported directly. A digest whose first blocks were
   computed elsewhere can be continued only through SHA256_*, which OpenSSL 3 deprecates. */
#pragma once
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/evp.h>
#include <openssl/sha.h>
