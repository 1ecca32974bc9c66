import ArgumentParser
import VmxModel

/// The limits of one run, each instead of a setting.
struct LimitOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Begin nothing new and end after so many bytes.", valueName: "size"))
  var maxBytes: String?

  @Option(help: ArgumentHelp("Begin nothing new and end after so long.", valueName: "time"))
  var maxTime: String?

  /// Puts what was given in the place of the settings.
  func add(to settings: inout Settings) {
    if let maxBytes { settings.set(.maxBytes, to: maxBytes, option: "--max-bytes") }
    if let maxTime { settings.set(.maxTime, to: maxTime, option: "--max-time") }
  }
}
