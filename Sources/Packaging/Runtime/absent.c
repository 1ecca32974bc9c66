/* Functions that ArgumentParser refers to and the installed tools never call: the JSON encoder behind
   --experimental-dump-help, and the tasks behind AsyncParsableCommand. A call ends the process with
   status 70 (EX_SOFTWARE of sysexits.h) and a message. A new reference to another function of these
   modules fails at link time. */
#include <unistd.h>

static _Noreturn void absent(void) {
  static const char text[] =
      "vmx: installed tools have no JSON encoder for --experimental-dump-help, and no tasks;"
      " use those of 'swift build'\n";
  (void)!write(STDERR_FILENO, text, sizeof text - 1);
  _exit(70);
}

#define ABSENT(name, symbol)       \
  void name(void) __asm__(symbol); \
  void name(void) { absent(); }

ABSENT(sorted_keys, "$s20FoundationEssentials11JSONEncoderC16OutputFormattingV10sortedKeysAEvau")
ABSENT(pretty_printed,
       "$s20FoundationEssentials11JSONEncoderC16OutputFormattingV13prettyPrintedAEvau")
ABSENT(encoder_init, "$s20FoundationEssentials11JSONEncoderCACycfc")
ABSENT(encoder_metadata, "$s20FoundationEssentials11JSONEncoderCMa")
ABSENT(string_from_data,
       "$sSS20FoundationEssentialsE4data8encodingSSSgAA4DataVh_SSAAE8EncodingVtcfC")
ABSENT(utf8, "$sSS20FoundationEssentialsE8EncodingV4utf8ACvau")
ABSENT(task_alloc, "swift_task_alloc")
ABSENT(task_dealloc, "swift_task_dealloc")
ABSENT(task_switch, "swift_task_switch")
