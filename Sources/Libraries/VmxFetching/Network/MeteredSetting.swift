package import VmxModel

/// Who says whether the network is metered.
package enum MeteredSetting: Sendable, Equatable {
  /// The person, once for the whole run.
  case given(MeteredVerdict)
  /// A command of the person's, which prints `yes`, `no` or `unknown`.
  case probe(String)
  /// The system.
  case detected

  /// The variable that says it for one run.
  static let variable = "VMX_METERED"

  /// `VMX_METERED`, else `network.metered`, else `network.probe`, else the system.
  ///
  /// - Throws: `bad-setting` for another word than yes, no, unknown.
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
