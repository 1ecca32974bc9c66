/* Typed wrappers of libcurl's variadic functions, which Swift cannot import. */
#pragma once
#include <curl/curl.h>

typedef size_t (*vmx_curl_bytes)(char *bytes, size_t size, size_t count, void *context);
typedef int (*vmx_curl_connected)(
    void *context, char *remote, char *local, int remote_port, int local_port);

static inline CURLcode vmx_curl_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

/* libcurl copies the text; NULL resets the option to its default. */
static inline CURLcode vmx_curl_set_text(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}

/* The list must outlive the transfer. */
static inline CURLcode vmx_curl_set_headers(CURL *easy, struct curl_slist *fields) {
  return curl_easy_setopt(easy, CURLOPT_HTTPHEADER, fields);
}

/* Sets the callback that opens the socket for an address, or returns vmx_curl_no_socket to refuse
   it. It opens every socket of the handle's connections. */
static inline CURLcode vmx_curl_set_opener(
    CURL *easy, curl_opensocket_callback opener, void *context) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, opener);
  return code == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, context) : code;
}

static const curl_socket_t vmx_curl_no_socket = CURL_SOCKET_BAD;

/* Returns the start of the whole address, which is longer than its declared type. */
static inline const struct sockaddr *vmx_curl_address(const struct curl_sockaddr *address) {
  return &address->addr;
}

/* Sets the callbacks for the body, for each header line, and for the time the request is sent. */
static inline CURLcode vmx_curl_set_receivers(
    CURL *easy, vmx_curl_bytes body, vmx_curl_bytes header, vmx_curl_connected connected,
    void *context) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, body);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_WRITEDATA, context);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, header);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_HEADERDATA, context);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, connected);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_PREREQDATA, context);
  return code;
}

/* Sets the callback for libcurl's trace, and turns the trace on. */
static inline CURLcode vmx_curl_set_trace(CURL *easy, curl_debug_callback trace, void *context) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, trace);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_DEBUGDATA, context);
  return code == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_VERBOSE, 1L) : code;
}

/* Sets the buffer for libcurl's error message: CURL_ERROR_SIZE bytes that outlive the transfer. */
static inline CURLcode vmx_curl_set_words(CURL *easy, char *words) {
  return curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, words);
}

static inline CURLcode vmx_curl_get_long(CURL *easy, CURLINFO what, long *value) {
  return curl_easy_getinfo(easy, what, value);
}

/* The text belongs to the handle and stays valid until its next transfer. */
static inline CURLcode vmx_curl_get_text(CURL *easy, CURLINFO what, const char **value) {
  return curl_easy_getinfo(easy, what, value);
}

/* The caller frees the list. */
static inline CURLcode vmx_curl_get_list(CURL *easy, CURLINFO what, struct curl_slist **value) {
  return curl_easy_getinfo(easy, what, value);
}

static inline CURLMcode vmx_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

/* Returns the next completed transfer, one per call; 0 if there are no more. */
static inline int vmx_curl_multi_next_done(CURLM *multi, CURL **easy, CURLcode *code) {
  int left = 0;
  CURLMsg *message;
  while ((message = curl_multi_info_read(multi, &left)) != NULL) {
    if (message->msg != CURLMSG_DONE) continue;
    *easy = message->easy_handle;
    *code = message->data.result;
    return 1;
  }
  return 0;
}

/* The return value by which the body callback pauses the transfer until it is resumed. */
static const size_t vmx_curl_pause = CURL_WRITEFUNC_PAUSE;

/* The schemes of CURLOPT_HTTPAUTH. */
static const long vmx_curl_auth_basic = CURLAUTH_BASIC;
static const long vmx_curl_auth_digest = CURLAUTH_DIGEST;

static inline CURLcode vmx_curl_begin(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }
