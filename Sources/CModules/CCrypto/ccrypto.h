/* The digests of libcrypto: EVP_* import as they are. What was digested up to some block by other
   means goes on only through SHA256_*, which OpenSSL 3 would rather not have used. */
#pragma once
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/evp.h>
#include <openssl/sha.h>
