package import VmxModel

/// The local facts of a licence: the rights in its document, and its use on this device.
package struct LocalLicence: Sendable, Equatable {
  /// The id of the licence.
  package var id: String
  /// The URI of the provider.
  package var provider: String
  /// The time of the last change of the document.
  package var changed: Timestamp
  /// The start of the rights; nil for none.
  package var starts: Timestamp?
  /// The end of the rights; nil for none.
  package var ends: Timestamp?
  /// The time in milliseconds in which the episode may be played after the first play; nil if
  /// unlimited.
  package var playPeriod: Int64?
  /// The time of the first play on this device.
  package var played: Timestamp?
  /// The time at which the registration of this device was confirmed.
  package var registered: Timestamp?
  /// A requested call that has not been answered yet.
  package var call: PendingCall?

  /// Creates the facts of a licence that was never used.
  ///
  /// - Parameter periods: the URIs of rights that limit the time after the first play.
  package init(_ document: LicenceDocument, periods: [String] = []) {
    id = document.id
    provider = document.provider
    changed = document.changed
    (starts, ends) = (document.starts, document.ends)
    playPeriod = document.playPeriod(named: periods)
  }

  /// Replaces the rights by those of another document of the same licence.
  package mutating func replaceRights(_ document: LicenceDocument, periods: [String]) {
    var fresh = LocalLicence(document, periods: periods)
    (fresh.played, fresh.registered, fresh.call) = (played, registered, call)
    self = fresh
  }

  /// The earlier of the document's end and the end after the first play; nil for none.
  package var end: Timestamp? {
    let played = playPeriod.flatMap { period in self.played?.adding(milliseconds: period) }
    return [ends, played].compactMap { $0 }.min()
  }

  init(id: String, provider: String, changed: Timestamp) {
    self.id = id
    self.provider = provider
    self.changed = changed
  }
}

/// A call that changes the provider's state, recorded durably before the request.
package struct PendingCall: Sendable, Equatable {
  /// The kind of a call.
  package enum Kind: String, Sendable {
    case renew
    case returnLicence = "return"
  }

  /// The kind.
  package var kind: Kind
  /// The end that a renewal requests; nil for the provider's default.
  package var end: Timestamp?
  /// The licence's last change when the call was made; nil before the first status. A later change
  /// means that the call took effect, even if its response was lost.
  package var seen: Timestamp?

  /// Creates a call that was not made yet.
  package init(_ kind: Kind, end: Timestamp? = nil) {
    self.kind = kind
    self.end = end
  }
}

extension LocalLicence {
  /// Decodes the fields of a record. Returns nil for malformed fields.
  init?(_ fields: JSONObject) {
    func time(_ key: String) -> Timestamp? { fields[key]?.string.flatMap { Timestamp($0) } }
    guard let id = fields["licence"]?.string, let provider = fields["provider"]?.string,
      let changed = time("changed")
    else { return nil }
    self.init(id: id, provider: provider, changed: changed)
    (starts, ends) = (time("starts"), time("ends"))
    playPeriod = fields["play_period_ms"]?.integer
    (played, registered) = (time("played"), time("registered"))
    if let object = fields["call"]?.object,
      let kind = object["kind"]?.string.flatMap({ PendingCall.Kind(rawValue: $0) })
    {
      var call = PendingCall(kind, end: object["end"]?.string.flatMap { Timestamp($0) })
      call.seen = object["seen"]?.string.flatMap { Timestamp($0) }
      self.call = call
    }
  }

  /// Appends the fields to the object of a record.
  func append(to object: inout JSONObject) {
    object.append("licence", id)
    object.append("provider", provider)
    object.append("changed", changed.text)
    object.append("starts", starts?.text)
    object.append("ends", ends?.text)
    object.append("play_period_ms", playPeriod.map { .integer($0) })
    object.append("played", played?.text)
    object.append("registered", registered?.text)
    guard let call else { return }
    var fields = JSONObject()
    fields.append("kind", call.kind.rawValue)
    fields.append("end", call.end?.text)
    fields.append("seen", call.seen?.text)
    object.append("call", .object(fields))
  }
}
