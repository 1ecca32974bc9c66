import Glibc
import VmxModel

/// One reader of bytes from outside, and what must hold whatever they are.
struct FuzzTarget: Sendable {
  /// As `FUZZ_TARGET` and the folder of its seeds name it.
  let name: String
  /// Reads an input; traps where a promise is broken.
  let take: @Sendable ([UInt8]) -> Void

  /// All of them.
  static let all =
    HeaderTargets.all + FileTargets.all + BundleTargets.all + LegacyTargets.all + FeedTargets.all
    + LicenceTargets.all

  /// The one that the environment names; the list of them, and the end, where it names none.
  static func chosen() -> FuzzTarget {
    let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
    if let target = all.first(where: { $0.name == name }) { return target }
    for target in all { puts(target.name) }
    exit(name.isEmpty ? 0 : 64)
  }
}

/// Ends the process if something that was promised does not hold.
func hold(_ isTrue: Bool, _ promise: StaticString) {
  if !isTrue { fatalError("broken: \(promise)") }
}

/// The fuzzer's own loop; it reads the options of the command line.
@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ take: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// Feeds one target with inputs that libFuzzer makes up.
@main
enum FuzzInputs {
  private static let target = FuzzTarget.chosen()

  static func main() {
    // Before the fuzzer takes an exit for a find.
    _ = target
    var count = CommandLine.argc
    var arguments = CommandLine.unsafeArgv
    let status = runFuzzer(&count, &arguments) { bytes, count in
      FuzzInputs.target.take(Array(UnsafeBufferPointer(start: bytes, count: count)))
      return 0
    }
    exit(status)
  }
}
