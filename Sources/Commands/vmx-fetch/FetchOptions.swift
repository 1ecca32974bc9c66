import ArgumentParser
import SystemPackage
import VmxModel
import VmxSystem
import VmxTerminal

/// How much a run uses of the network.
struct TransferOptions: ParsableArguments {
  @Option(
    name: [.customShort("j", allowingJoined: true), .long],
    help: ArgumentHelp("Transfers at once, 1 to 64.", valueName: "n"))
  var jobs: String?

  @Option(
    help: ArgumentHelp("Bytes a second, all transfers together.", valueName: "rate"))
  var limitRate: String?

  @Flag(help: "Use a metered network in this run.")
  var allowMetered = false

  @Flag(
    name: [.short, .long, .customLong("no-input")], help: "Ask nothing, on a terminal either.")
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
    help: ArgumentHelp("Connections for one part where they pay, 1 to 16.", valueName: "n"))
  var connections: String?

  @Flag(
    inversion: .prefixedNo,
    help: "Look for digests beside the URLs of videos.")
  var checksums: Bool?

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
  func lowerPriority() -> [String] {
    var refused: [String] = []
    if nice, !lowerCPUPriority() { refused.append("--nice") }
    if idle, !lowerDiskPriority() { refused.append("--idle") }
    return refused
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
      "Which of several files: best, 720p, max:300M, ….",
      valueName: "which"),
    completion: .list(["first", "best", "smallest", "1080p", "720p", "480p"]))
  var quality: String?

  @Option(
    help: ArgumentHelp(
      "Only these parts, such as subtitle:en,image.", valueName: "parts"))
  var only: [String] = []

  @Flag(help: "Only episodes that lack such a part.")
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
    help: "Bring back what is damaged or missing, and no more.")
  var repair = false

  @Option(
    help: ArgumentHelp(
      "With --repair: take what is intact in this copy.",
      valueName: "file"))
  var from: String?

  /// Returns the path of the given copy.
  ///
  /// - Throws: `usage` unless one episode is named, and `input-missing` if the copy cannot be read.
  func copy(for episodes: [String]) throws(Failure) -> FilePath? {
    guard let from else { return nil }
    guard repair, episodes.count == 1, !WebURL.isMeant(by: episodes[0]) else {
      throw Failure(.usage, "--from takes --repair and the id of one episode")
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
