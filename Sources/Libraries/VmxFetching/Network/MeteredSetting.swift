package import VmxModel

/// The source of the decision whether the network is metered.
package enum MeteredSetting: Sendable, Equatable {
  /// The user, once for the whole run.
  case given(MeteredVerdict)
  /// The user's command, which prints `yes`, `no` or `unknown`.
  case probe(String)
  /// NetworkManager.
  case detected

  /// The variable that sets it for one run.
  static let variable = "VMX_METERED"

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
