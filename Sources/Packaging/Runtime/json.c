/* Loads the JSON parser at its first use. libsimdjson brings libstdc++, whose 1,800 symbol lookups are
   a seventh of the start of a tool; `--help`, an empty library and a usage error parse no JSON. */
#define _GNU_SOURCE
#include <csimdjson.h>
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#define FUNCTIONS(each) \
  each(vmx_json_parser_new) each(vmx_json_parser_free) each(vmx_json_parse) each(vmx_json_fault)

#define DECLARE(name) static __typeof__(name) *loaded_##name;
FUNCTIONS(DECLARE)

static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Ends the process as the dynamic loader does when a library is missing. */
static _Noreturn void fail(void) {
  const char *reason = dlerror();
  if (!reason) reason = JSON_LIBRARY;
  static const char start[] = "vmx: error while loading the JSON parser: ";
  (void)!write(STDERR_FILENO, start, sizeof start - 1);
  (void)!write(STDERR_FILENO, reason, strlen(reason));
  (void)!write(STDERR_FILENO, "\n", 1);
  _exit(127);
}

static void load(void) {
  void *library = dlopen(JSON_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (!library) fail();
#define FIND(name)                                           \
  loaded_##name = (__typeof__(name) *)dlsym(library, #name); \
  if (!loaded_##name) fail();
  FUNCTIONS(FIND)
}

vmx_json_parser *vmx_json_parser_new(void) {
  pthread_once(&once, load);
  return loaded_vmx_json_parser_new();
}

void vmx_json_parser_free(vmx_json_parser *parser) {
  pthread_once(&once, load);
  loaded_vmx_json_parser_free(parser);
}

int32_t vmx_json_parse(vmx_json_parser *parser, const uint8_t *bytes, uint64_t length,
                       int32_t refuse_nul, vmx_json_tape *tape) {
  /* There is a parser, so the library is loaded. */
  return loaded_vmx_json_parse(parser, bytes, length, refuse_nul, tape);
}

int32_t vmx_json_fault(const uint8_t *bytes, uint64_t length, uint64_t *offset) {
  pthread_once(&once, load);
  return loaded_vmx_json_fault(bytes, length, offset);
}
