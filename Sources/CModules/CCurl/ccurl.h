/* Typed doors to libcurl's variadic calls, which Swift cannot import. */
#pragma once
#include <curl/curl.h>

static inline CURLcode vmx_curl_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}
