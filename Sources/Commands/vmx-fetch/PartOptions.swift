import ArgumentParser
import VmxModel

/// The options that choose the parts and variants to fetch.
struct PartOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Which of several files of a video: 720p, best, smallest, first, max:300M.",
      valueName: "which"))
  var quality: String?

  @Option(
    help: ArgumentHelp(
      "Only these parts, such as subtitle,image or subtitle:en.", valueName: "parts"))
  var only: [String] = []

  @Flag(help: "Only episodes that lack such a part; what failed is tried again.")
  var missing = false

  /// Returns the selected parts; nil for all of them. `--missing` alone selects all parts but the
  /// video.
  func selection() throws(Failure) -> PartSelection? {
    if only.isEmpty, !missing { return nil }
    if only.isEmpty { return PartSelection(roles: Set(PartRole.allCases).subtracting([.video])) }
    return try PartSelection(only)
  }
}
