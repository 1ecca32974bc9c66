package import VmxModel

/// What a run of fetches may do, and when it may.
package struct PolicySettings: Sendable {
  /// The times of day at which bytes may flow.
  package var window = TimeWindow.always
  /// Bytes that the library may hold; nil for any number.
  package var quota: ByteCount?
  /// Who says whether the network is metered.
  package var metered = MeteredSetting.detected
  /// Whether this run may use a metered network.
  package var allowsMetered = false
  /// What the person calls the network; nil for the system's name.
  package var networkName: String?
  /// Bytes that may come over one network in a month; nil for any number.
  package var cap: ByteCount?
  /// Bytes a second of all transfers of the run together.
  package var rate: RateSchedule?
  /// Bytes that the run may receive; nil for any number.
  package var maxBytes: ByteCount?
  /// Milliseconds that the run may take; nil for any time.
  package var maxTime: Int64?
  /// Milliseconds that a fetch sits through what holds it; what takes longer is left to a later
  /// run.
  package var longestWait: Int64 = 60_000
  /// Whether it sits through everything that ends within a day or at a time nobody knows.
  package var waits = false

  /// The variable that names the network.
  private static let networkVariable = "VMX_NETWORK"

  /// No policy at all.
  package init() {}

  /// The policies as they stand in files, environment and options.
  ///
  /// - Throws: `bad-setting` naming the file, line and allowed values.
  init(
    _ settings: Settings, environment: [String: String], waits: Bool, allowsMetered: Bool
  ) throws(Failure) {
    metered = try MeteredSetting(settings, environment)
    networkName = environment[Self.networkVariable].flatMap { $0.isEmpty ? nil : $0 }
    rate = try settings.rate(.rate)
    cap = try Self.limit(settings.size(.cap))
    self.allowsMetered = allowsMetered
    window = try settings.window(.window)
    quota = try Self.limit(settings.size(.libraryQuota))
    maxBytes = try Self.limit(settings.size(.maxBytes))
    let time = try settings.milliseconds(.maxTime)
    maxTime = time > 0 ? time : nil
    longestWait = try settings.milliseconds(.longestWait)
    self.waits = waits
  }

  /// In settings 0 stands for no limit, so that a stronger layer can lift one.
  private static func limit(_ count: ByteCount) -> ByteCount? {
    count.bytes > 0 ? count : nil
  }
}
