import Glibc
package import VmxEngine
package import VmxLicence
package import VmxModel
package import VmxSettings
import VmxSystem
import VmxTransfer

/// The settings of a fetch run.
package struct FetchSettings: Sendable {
  /// The number of simultaneous transfers of this process.
  let jobs: Int
  /// The number of simultaneous transfers of all processes together, from 1 to 64.
  let machineJobs: Int64
  /// The number of these transfers from one host, from 1 to 64.
  let perHost: Int64
  /// The number of bytes kept free on the disk of the library.
  let reserve: ByteCount
  /// The maximum size of the library in bytes; nil for no limit.
  let quota: ByteCount?
  /// The times of day at which transfers are allowed.
  let window: TimeWindow
  /// The source of the decision whether the network is metered.
  let metered: MeteredSetting
  /// Whether this run may use a metered network.
  let allowsMetered: Bool
  /// The user's name for the network; nil for the system's name.
  let networkName: String?
  /// The maximum number of bytes over one network in a month; nil for no limit.
  let cap: ByteCount?
  /// The rate limit of all transfers of the run together, in bytes a second.
  let rate: RateSchedule?
  /// The maximum number of bytes that the run may receive; nil for no limit.
  let maxBytes: ByteCount?
  /// The maximum duration of the run in milliseconds; nil for no limit.
  let maxTime: Int64?
  /// The longest wait for the end of a refusal, in milliseconds; parts with longer waits are left
  /// to a later run.
  let maxWait: Int64
  /// Whether the run waits for every refusal that ends within a day or at an unknown time.
  let waits: Bool
  /// The settings of licences.
  package let licence: LicenceService.Settings
  /// The limits and timeouts of each transfer.
  var transfer: TransferSettings
  /// Whether a setting or an option chooses among several variants.
  let choosesQuality: Bool
  /// The waits for servers that the run accepts.
  var serverWaits: WorkWaits {
    WorkWaits(
      maxWait: waits ? transfer.retryAfterBelieved : maxWait, refusals: transfer.attempts)
  }
  /// The options that apply to every episode.
  package var options: WorkOptions

  /// Reads the settings from files, environment and options.
  ///
  /// - Parameters:
  ///   - home: the user's home folder, for paths that begin with `~/`.
  ///   - environment: the variables for proxies, the network and others that are not settings.
  ///   - waits: whether to wait as long as servers and policies request.
  ///   - allowsMetered: whether this run may use a metered network.
  ///   - only: the parts to work on; nil for all.
  /// - Throws: `bad-setting` naming the file, line and allowed values.
  package init(
    _ settings: Settings, home: String, environment: [String: String] = [:], waits: Bool,
    allowsMetered: Bool = false, only: PartSelection? = nil
  ) throws(Failure) {
    self.waits = waits
    self.allowsMetered = allowsMetered
    jobs = Int(try settings.integer(.fetchJobs))
    machineJobs = try settings.integer(.machineJobs)
    perHost = try settings.integer(.fetchPerHost)
    reserve = try settings.size(.libraryReserve)
    quota = try Self.limit(settings.size(.libraryQuota))
    window = try settings.window(.window)
    metered = try MeteredSetting(settings, environment)
    networkName = environment["VMX_NETWORK"].flatMap { $0.isEmpty ? nil : $0 }
    cap = try Self.limit(settings.size(.cap))
    rate = try settings.rate(.rate)
    maxBytes = try Self.limit(settings.size(.maxBytes))
    let time = try settings.milliseconds(.maxTime)
    maxTime = time > 0 ? time : nil
    maxWait = try settings.milliseconds(.maxWait)
    licence = try LicenceService.Settings(settings, host: hostName())
    // A setting applies to new choices; an option also replaces earlier ones.
    let origin = settings.effectiveValue(.fetchQuality)?.origin
    choosesQuality = origin != .builtIn
    let isTyped = if case .option = origin { true } else { false }
    options = WorkOptions(
      quality: try settings.quality(.fetchQuality), rechoosesVariant: isTyped, only: only)
    var transfer = try Self.transfer(settings, home: home)
    transfer.proxiedSchemes = Self.proxiedSchemes(environment)
    self.transfer = transfer
  }

  private static func transfer(
    _ settings: Settings, home: String
  ) throws(Failure) -> TransferSettings {
    var transfer = TransferSettings()
    transfer.connections = Int(try settings.integer(.fetchConnections))
    transfer.perHost = try perHost(settings, transfer)
    transfer.attempts = Int(try settings.integer(.attempts))
    transfer.stallBytesPerSecond = try settings.size(.stallSpeed).bytes
    transfer.stallTime = try settings.milliseconds(.stallTime)
    transfer.responseTime = try settings.milliseconds(.responseTimeout)
    transfer.connectTimeout = try settings.milliseconds(.connectTimeout)
    transfer.backoffBase = try settings.milliseconds(.backoff)
    transfer.backoffCap = try settings.milliseconds(.backoffLimit)
    transfer.allowsDowngrade = try settings.bool(.allowInsecureRedirect)
    transfer.looksUpChecksums = try settings.bool(.checksums)
    transfer.hosts = try HostTable(settings, home: home)
    // libcurl would ignore an unreadable file silently or fail in each transfer.
    for file in transfer.hosts.files where access(file.path, R_OK) != 0 {
      throw Failure(
        .badSetting, "\(file.setting): cannot read '\(file.path)'",
        hint: "check the path and its permissions")
    }
    return transfer
  }

  /// Returns the limit of connections to one host. A number of connections that the user typed for
  /// this run applies to each of its transfers, unless the user typed a limit too.
  private static func perHost(
    _ settings: Settings, _ transfer: TransferSettings
  ) throws(Failure) -> Int {
    let limit = Int(try settings.integer(.perHost))
    guard case .option = settings.effectiveValue(.fetchConnections)?.origin,
      settings.effectiveValue(.perHost)?.origin != .parameter
    else { return limit }
    let typed = Int(try settings.integer(.fetchJobs)) * transfer.connections
    return max(limit, min(typed, maxPerHost))
  }

  /// The maximum number of connections to one host, whatever the user typed.
  private static let maxPerHost = 64

  /// Maps 0 to no limit, so that a setting of higher precedence can remove a limit.
  private static func limit(_ count: ByteCount) -> ByteCount? {
    count.bytes > 0 ? count : nil
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
}

/// The source of the decision whether the network is metered.
enum MeteredSetting: Sendable, Equatable {
  /// The user has decided, once for the whole run.
  case decided(MeteredVerdict)
  /// The user's command decides; it prints `yes`, `no` or `unknown`.
  case probe(String)
  /// NetworkManager decides.
  case detected

  /// The environment variable that sets it for one run.
  private static let variable = "VMX_METERED"

  /// Reads `VMX_METERED`, else `network.metered`, else `network.probe`, else uses NetworkManager.
  ///
  /// - Throws: `bad-setting` for a word other than yes, no, unknown.
  init(_ settings: Settings, _ environment: [String: String]) throws(Failure) {
    if let text = environment[Self.variable], !text.isEmpty {
      guard let word = MeteredVerdict.Value(rawValue: text) else {
        throw Failure(
          .badSetting, "variable '\(Self.variable)' is '\(text)', must be yes, no or unknown",
          hint: "set '\(Self.variable)' to a valid value")
      }
      self = .decided(MeteredVerdict(word, .configured(Self.variable)))
      return
    }
    let key = SettingKey.metered
    if let word = MeteredVerdict.Value(rawValue: try settings.choice(key)) {
      self = .decided(MeteredVerdict(word, .configured(key.rawValue)))
    } else if let command = try settings.text(.probe) {
      self = .probe(command)
    } else {
      self = .detected
    }
  }
}
