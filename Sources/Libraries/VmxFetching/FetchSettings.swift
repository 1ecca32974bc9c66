import Glibc
package import VmxEngine
package import VmxModel
package import VmxTransfer

/// The settings of a fetch run.
package struct FetchSettings: Sendable {
  /// The number of simultaneous transfers of this process.
  package var jobs: Int
  /// The number of simultaneous transfers of all processes together, from 1 to 64.
  package var machineJobs: Int64
  /// The number of these transfers from one host, from 1 to 64.
  package var perHost: Int64
  /// The number of bytes kept free on the disk of the library.
  package var reserve: ByteCount
  /// The limits and timeouts of each transfer.
  package var transfer: TransferSettings
  /// The limits and permitted times of the run.
  package var policies: PolicySettings
  /// Whether an NFO file is written beside each video.
  package var writesNFO: Bool
  /// The options that apply to every episode.
  package var order: WorkOrder

  /// Reads the settings from files, environment and options.
  ///
  /// - Parameters:
  ///   - home: the user's home folder, for paths that begin with `~/`.
  ///   - environment: the variables for proxies and others that are not settings.
  ///   - waits: whether to wait as long as servers and policies ask for.
  ///   - allowsMetered: whether this run may use a metered network.
  ///   - only: the parts to work on; nil for all.
  /// - Throws: `bad-setting` naming the file, line and allowed values.
  package init(
    _ settings: Settings, home: String, environment: [String: String] = [:], waits: Bool,
    allowsMetered: Bool = false, only: PartSelection? = nil
  ) throws(Failure) {
    policies = try PolicySettings(
      settings, environment: environment, waits: waits, allowsMetered: allowsMetered)
    transfer = TransferSettings()
    transfer.connections = Int(try settings.integer(.fetchConnections))
    transfer.perHost = Int(try settings.integer(.perHost))
    transfer.attempts = Int(try settings.integer(.attempts))
    transfer.stallBytesPerSecond = try settings.size(.stallSpeed).bytes
    transfer.stallTime = try settings.milliseconds(.stallTime)
    transfer.connectTimeout = try settings.milliseconds(.connectTimeout)
    transfer.backoffBase = try settings.milliseconds(.backoff)
    transfer.backoffCap = try settings.milliseconds(.backoffLimit)
    transfer.allowsDowngrade = try settings.bool(.allowInsecureRedirect)
    transfer.looksForChecksums = try settings.bool(.checksums)
    transfer.hosts = try HostTable(settings, home: home)
    try Self.check(transfer.hosts.files)
    transfer.proxiedSchemes = Self.proxiedSchemes(environment)
    transfer.waitForPolicy = waits ? transfer.retryAfterBelieved : policies.longestWait
    // A setting applies to new choices; an option also replaces earlier ones.
    let isTyped = if case .option = settings.winner(.fetchQuality)?.origin { true } else { false }
    order = WorkOrder(
      quality: try settings.quality(.fetchQuality), choosesAnew: isTyped, only: only)
    jobs = Int(try settings.integer(.fetchJobs))
    reserve = try settings.size(.libraryReserve)
    machineJobs = try settings.integer(.machineJobs)
    perHost = try settings.integer(.fetchPerHost)
    writesNFO = try settings.bool(.libraryNFO)
  }

  /// The schemes for which libcurl finds a proxy in the environment. `HTTP_PROXY` in capitals is
  /// ignored: a web server sets it from a request header (`Proxy`).
  private static func proxiedSchemes(_ environment: [String: String]) -> Set<String> {
    let variables = [
      "http": ["http_proxy", "all_proxy", "ALL_PROXY"],
      "https": ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"],
    ]
    return Set(
      variables.filter { $0.value.contains { environment[$0].map { !$0.isEmpty } ?? false } }.keys)
  }

  /// Rejects unreadable files: libcurl would ignore them silently or fail in each transfer.
  private static func check(_ files: [HostTable.NamedFile]) throws(Failure) {
    for file in files where access(file.path, R_OK) != 0 {
      throw Failure(
        .badSetting, "\(file.place) names a file that cannot be read: '\(file.path)'",
        hint: "check the path and its permissions")
    }
  }
}
