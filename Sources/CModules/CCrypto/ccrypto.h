/* The digests of libcrypto: EVP_* import as they are. */
#pragma once
#include <openssl/evp.h>
