import VmxModel

extension Timestamp {
  /// Parses the time of an action: RFC 3339, with a missing zone read as UTC.
  ///
  /// gpodder.net and Nextcloud omit the zone, oPodSync sends `Z`. Fractions are truncated to
  /// milliseconds.
  package init?(action text: String) {
    let text = text.replacing(" ", with: "T", maxReplacements: 1)
    guard let time = Timestamp(text) ?? Timestamp("\(text)Z") else { return nil }
    self = time
  }

  /// The time in the format that all servers accept: UTC without zone and fraction.
  package var actionText: String { String(text.prefix(19)) }
}
