import ArgumentParser
import SystemPackage
import VmxCommand
import VmxModel
import VmxSettings
import VmxSystem

/// The options for the use of the network.
struct TransferOptions: ParsableArguments {
  @Option(
    name: [.customShort("j", allowingJoined: true), .long],
    help: ArgumentHelp("Concurrent transfers, 1 to 64.", valueName: "n"))
  var jobs: String?

  @Option(
    help: ArgumentHelp("Limit the total rate of all transfers, such as 1M.", valueName: "rate"))
  var limitRate: String?

  @Flag(help: "Allow a metered network in this run.")
  var allowMetered = false

  @Flag(
    name: [.short, .long, .customLong("no-input")], help: "Never prompt, even on a terminal.")
  var yes = false

  /// Overrides settings by the given options.
  func add(to settings: inout Settings) {
    if let jobs { settings.set(.fetchJobs, to: jobs, option: "--jobs") }
    if let limitRate { settings.set(.rate, to: limitRate, option: "--limit-rate") }
  }
}

/// The limits of one run, most of which override a setting.
struct LimitOptions: ParsableArguments {
  @Option(
    name: [.customShort("x", allowingJoined: true), .long],
    help: ArgumentHelp("Use up to this many connections per part, 1 to 16.", valueName: "n"))
  var connections: String?

  @Flag(
    inversion: .prefixedNo,
    help: "Look for checksum files next to video URLs.")
  var checksums: Bool?

  @Option(
    help: ArgumentHelp("Stop after receiving this many bytes, such as 2G.", valueName: "size"))
  var maxBytes: String?

  @Option(help: ArgumentHelp("Stop after this long, such as 90m.", valueName: "time"))
  var maxTime: String?

  @Flag(help: "Run at low CPU priority.")
  var nice = false

  @Flag(help: "Run at idle disk priority.")
  var idle = false

  /// Lowers the priority of the process as requested, and notes what the system refuses; called
  /// before any thread is started.
  func lowerPriority(in context: CommandContext) {
    var refused: [String] = []
    if nice, !lowerCPUPriority() { refused.append("--nice") }
    if idle, !lowerDiskPriority() { refused.append("--idle") }
    for option in refused {
      context.messages.note("the system does not support '\(option)'; continuing without it")
    }
  }

  /// Overrides settings by the given options.
  func add(to settings: inout Settings) {
    if let connections {
      settings.set(.fetchConnections, to: connections, option: "--connections")
    }
    if let checksums { settings.set(.checksums, to: "\(checksums)", option: "--checksums") }
    if let maxBytes { settings.set(.maxBytes, to: maxBytes, option: "--max-bytes") }
    if let maxTime { settings.set(.maxTime, to: maxTime, option: "--max-time") }
  }
}

/// The options that choose the parts and variants to fetch.
struct PartOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "File to choose of several: best, 720p, max:300M, ….",
      valueName: "which"),
    completion: .list(["first", "best", "smallest", "1080p", "720p", "480p"]))
  var quality: String?

  @Option(
    help: ArgumentHelp(
      "Fetch only these parts, such as subtitle:en,image.", valueName: "parts"))
  var only: [String] = []

  @Flag(help: "Only episodes that lack one of these parts.")
  var missing = false

  /// Returns the selected parts; nil for all of them. `--missing` alone selects all parts but the
  /// video.
  func selection() throws(Failure) -> PartSelection? {
    if only.isEmpty, !missing { return nil }
    if only.isEmpty { return PartSelection(roles: Set(PartRole.allCases).subtracting([.video])) }
    return try PartSelection(only)
  }
}

/// The options that limit a fetch to damaged or missing files.
struct RepairOptions: ParsableArguments {
  @Flag(
    help: "Only repair damaged and missing files.")
  var repair = false

  @Option(
    help: ArgumentHelp(
      "With --repair: reuse intact data of this copy.",
      valueName: "file"))
  var from: String?

  /// Returns the path of the given copy.
  ///
  /// - Throws: `usage` unless one episode is named, and `input-missing` if the copy cannot be read.
  func copy(for episodes: [String]) throws(Failure) -> FilePath? {
    guard let from else { return nil }
    guard repair, episodes.count == 1, !WebURL.isMeant(by: episodes[0]) else {
      throw Failure(.usage, "--from requires --repair and exactly one id")
    }
    do throws(FileError) {
      let file = try OpenFile(FilePath(argument: from), .readOnly, followingLinks: true)
      return file.path
    } catch {
      throw Failure(.inputMissing, "cannot read '\(ArgumentText.shown(from))'")
    }
  }
}

extension ProgressMode: ExpressibleByArgument {}
