/* TLS for the origin of the tests. */
#pragma once
#include <openssl/ssl.h>
