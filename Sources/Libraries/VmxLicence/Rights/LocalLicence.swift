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

  /// The facts of no licence, before any field is decoded.
  init() {
    (id, provider, changed) = ("", "", Timestamp(seconds: 0))
  }
}

/// A call that changes the provider's state, recorded durably before the request.
package struct PendingCall: Sendable, Equatable {
  /// The kind of a call.
  package enum Kind: String, Sendable, CaseIterable {
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

extension PendingCall.Kind: FieldValue {}

extension PendingCall: LenientRecord {
  /// The fields of a pending call.
  package enum Field: String, RecordField { case kind, end, seen }

  package static let fields = FieldSet<Field>(Field.allCases)
  package static var blank: PendingCall { PendingCall(.renew) }

  package mutating func code<C: FieldCoder>(
    _ field: Field, _ coder: inout C
  ) throws(C.Problem) {
    switch field {
    case .kind: try coder.required(&kind)
    case .end: try coder.field(&end)
    case .seen: try coder.field(&seen)
    }
  }
}
