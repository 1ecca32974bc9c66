import ArgumentParser
import VmxModel
import VmxSystem

/// The limits of one run, most of which override a setting.
struct LimitOptions: ParsableArguments {
  @Flag(help: "Use a metered network in this run.")
  var allowMetered = false

  @Option(
    help: ArgumentHelp("Bytes a second, all transfers together.", valueName: "rate"))
  var limitRate: String?

  @Option(
    help: ArgumentHelp("Begin nothing new and end after so many bytes.", valueName: "size"))
  var maxBytes: String?

  @Option(help: ArgumentHelp("Begin nothing new and end after so long.", valueName: "time"))
  var maxTime: String?

  @Flag(help: "Give way to other programs on the CPU.")
  var nice = false

  @Flag(help: "Use the disk only while no other program does.")
  var idle = false

  /// Lowers the priority of the process as requested; called before any thread is started.
  ///
  /// - Returns: the options that the system refused.
  func makeGentle() -> [String] {
    var refused: [String] = []
    if nice, !lowerCPUPriority() { refused.append("--nice") }
    if idle, !lowerDiskPriority() { refused.append("--idle") }
    return refused
  }

  /// Overrides settings by the given options.
  func add(to settings: inout Settings) {
    if let limitRate { settings.set(.rate, to: limitRate, option: "--limit-rate") }
    if let maxBytes { settings.set(.maxBytes, to: maxBytes, option: "--max-bytes") }
    if let maxTime { settings.set(.maxTime, to: maxTime, option: "--max-time") }
  }
}
