import ArgumentParser
import VmxModel

/// Which files of an episode a fetch is to bring.
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

  /// The parts that are meant; nil for all of them. What is missing is looked for among all but
  /// the video unless others are named.
  func selection() throws(Failure) -> PartSelection? {
    if only.isEmpty, !missing { return nil }
    if only.isEmpty { return PartSelection(roles: Set(PartRole.allCases).subtracting([.video])) }
    return try PartSelection(only)
  }
}
