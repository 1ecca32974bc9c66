import Glibc
package import VmxJobs
package import VmxModel
import VmxStore
package import VmxTransfer

/// How a run of fetches behaves.
package struct FetchSettings: Sendable {
  /// Transfers at once.
  package var jobs: Int
  /// Transfers at once of all processes together, from 1 to 64.
  package var machineJobs: Int64 = TransferSlots.most
  /// Of them from one host, from 1 to 64.
  package var perHost: Int64 = TransferSlots.most
  /// Bytes kept free on the disk of the library.
  package var reserve: ByteCount
  /// How patient and how strict each transfer is.
  package var transfer: TransferSettings
  /// What the run may do, and when.
  package var policies: PolicySettings
  /// Whether an NFO file is written beside each video.
  package var writesNFO = true
  /// What is asked of every episode.
  package var order: WorkOrder

  /// Settings of a run.
  package init(
    jobs: Int, reserve: ByteCount, transfer: TransferSettings,
    policies: PolicySettings = PolicySettings(), order: WorkOrder = WorkOrder()
  ) {
    self.jobs = jobs
    self.reserve = reserve
    self.transfer = transfer
    self.policies = policies
    self.order = order
  }

  /// The settings as they stand in files, environment and options.
  ///
  /// - Parameters:
  ///   - home: the person's home folder, for paths that begin with `~/`.
  ///   - environment: for proxies, and what else variables say that are no settings.
  ///   - waits: whether to sit through whatever servers and policies ask for.
  ///   - allowsMetered: whether this run may use a metered network.
  ///   - only: the parts that are worked on; nil for all.
  /// - Throws: `bad-setting` naming the file, line and allowed values.
  package init(
    _ settings: Settings, home: String, environment: [String: String] = [:], waits: Bool,
    allowsMetered: Bool = false, only: PartSelection? = nil
  ) throws(Failure) {
    var transfer = TransferSettings()
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
    let policies = try PolicySettings(
      settings, environment: environment, waits: waits, allowsMetered: allowsMetered)
    transfer.waitForPolicy = policies.longestWait
    transfer.hosts = try HostTable(settings, home: home)
    try Self.check(transfer.hosts.files)
    transfer.proxiedSchemes = Self.proxiedSchemes(environment)
    if waits { transfer.waitForPolicy = transfer.retryAfterBelieved }
    // A setting speaks of what comes; an option speaks of what was chosen before, too.
    let isTyped = if case .option = settings.winner(.fetchQuality)?.origin { true } else { false }
    let order = WorkOrder(
      quality: try settings.quality(.fetchQuality), choosesAnew: isTyped, only: only)
    self.init(
      jobs: Int(try settings.integer(.fetchJobs)), reserve: try settings.size(.libraryReserve),
      transfer: transfer, policies: policies, order: order)
    machineJobs = try settings.integer(.machineJobs)
    perHost = try settings.integer(.fetchPerHost)
    writesNFO = try settings.bool(.libraryNFO)
  }

  /// The schemes for which libcurl finds a proxy in the environment; HTTP_PROXY in capitals is one
  /// that a web server makes of a request, so it counts for nobody.
  private static func proxiedSchemes(_ environment: [String: String]) -> Set<String> {
    let variables = [
      "http": ["http_proxy", "all_proxy", "ALL_PROXY"],
      "https": ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"],
    ]
    return Set(
      variables.filter { $0.value.contains { environment[$0].map { !$0.isEmpty } ?? false } }.keys)
  }

  /// A file that cannot be read would be passed over in silence, or stop each transfer anew.
  private static func check(_ files: [HostTable.NamedFile]) throws(Failure) {
    for file in files where access(file.path, R_OK) != 0 {
      throw Failure(
        .badSetting, "\(file.place) names a file that cannot be read: '\(file.path)'",
        hint: "check the path and its permissions")
    }
  }
}
