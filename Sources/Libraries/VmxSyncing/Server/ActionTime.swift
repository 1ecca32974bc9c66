import VmxModel

extension Timestamp {
  /// Parses the time of an action: RFC 3339, or the same without a zone, which is UTC.
  ///
  /// gpodder.net and Nextcloud give times without a zone, oPodSync with `Z`; fractions are cut to
  /// milliseconds.
  package init?(action text: String) {
    let text = text.replacing(" ", with: "T", maxReplacements: 1)
    guard let time = Timestamp(text) ?? Timestamp("\(text)Z") else { return nil }
    self = time
  }

  /// The time as every server takes it: UTC without zone and fraction.
  package var actionText: String { String(text.prefix(19)) }

  /// The whole seconds since the epoch.
  package var seconds: Int64 { milliseconds / 1000 }
}
