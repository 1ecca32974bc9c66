package import VmxModel

/// The limits of a fetch run and its permitted times.
package struct PolicySettings: Sendable {
  /// The times of day at which transfers are allowed.
  package var window = TimeWindow.always
  /// The maximum size of the library in bytes; nil for no limit.
  package var quota: ByteCount?
  /// The source of the decision whether the network is metered.
  package var metered = MeteredSetting.detected
  /// Whether this run may use a metered network.
  package var allowsMetered = false
  /// The user's name for the network; nil for the system's name.
  package var networkName: String?
  /// The maximum number of bytes over one network in a month; nil for no limit.
  package var cap: ByteCount?
  /// The rate limit of all transfers of the run together, in bytes a second.
  package var rate: RateSchedule?
  /// The maximum number of bytes that the run may receive; nil for no limit.
  package var maxBytes: ByteCount?
  /// The maximum duration of the run in milliseconds; nil for no limit.
  package var maxTime: Int64?
  /// The longest wait for a hold to end, in milliseconds; parts with longer holds are left to a
  /// later run.
  package var longestWait: Int64 = 60_000
  /// Whether it waits for every hold that ends within a day or at an unknown time.
  package var waits = false

  /// The variable that names the network.
  private static let networkVariable = "VMX_NETWORK"

  /// Creates settings without any restriction.
  package init() {}

  /// Reads the policies from files, environment and options.
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

  /// Maps 0 to no limit: in settings, a stronger layer can thus remove a limit.
  private static func limit(_ count: ByteCount) -> ByteCount? {
    count.bytes > 0 ? count : nil
  }
}

/// The source of the decision whether the network is metered.
package enum MeteredSetting: Sendable, Equatable {
  /// The user, once for the whole run.
  case given(MeteredVerdict)
  /// The user's command, which prints `yes`, `no` or `unknown`.
  case probe(String)
  /// NetworkManager.
  case detected

  /// The variable that sets it for one run.
  private static let variable = "VMX_METERED"

  /// Reads `VMX_METERED`, else `network.metered`, else `network.probe`, else uses NetworkManager.
  ///
  /// - Throws: `bad-setting` for a word other than yes, no, unknown.
  init(_ settings: Settings, _ environment: [String: String]) throws(Failure) {
    if let text = environment[Self.variable], !text.isEmpty {
      guard let word = MeteredVerdict.Word(rawValue: text) else {
        throw Failure(
          .badSetting, "variable '\(Self.variable)' is '\(text)', allowed is yes, no or unknown",
          hint: "give '\(Self.variable)' one of the values allowed there")
      }
      self = .given(MeteredVerdict(word, .given(Self.variable)))
      return
    }
    let key = SettingKey.metered
    if let word = MeteredVerdict.Word(rawValue: try settings.choice(key)) {
      self = .given(MeteredVerdict(word, .given(key.rawValue)))
    } else if let command = try settings.text(.probe) {
      self = .probe(command)
    } else {
      self = .detected
    }
  }
}
