package import VmxModel

/// The status of a licence according to its backend (Readium LSD 1.0, section 2.3).
package enum BackendStatus: String, Sendable, CaseIterable {
  /// Issued; no device has opened it.
  case ready
  /// A device has registered.
  case active
  /// The licence has expired.
  case expired
  /// The user returned the licence.
  case returned
  /// The provider revoked the licence after its first use.
  case revoked
  /// The licence was cancelled or returned before any use.
  case cancelled

  /// Whether no right remains, regardless of the licence document.
  package var isEnded: Bool { ![.ready, .active].contains(self) }
}

/// A License Status Document (Readium LSD 1.0, section 2).
package struct StatusDocument: Sendable, Equatable {
  /// The maximum size of a document in bytes; larger than a licence, because it lists events.
  package static let largest = 512 << 10
  /// The media type.
  package static let mediaType = "application/vnd.readium.license.status.v1.0+json"
  /// The maximum number of links kept of a document.
  private static let maxLinks = 32

  /// The id of the licence.
  package let id: String
  /// The status.
  package let status: BackendStatus
  /// The truncated message to the user.
  package let message: String
  /// The time of the last change of the licence document.
  package let licenceChanged: Timestamp
  /// The time of the last change of the status.
  package let statusChanged: Timestamp
  /// The latest end that a renewal can reach; nil if unknown.
  package let potentialEnd: Timestamp?
  /// The ids of the registered devices according to the events; nil if there are no events.
  let devices: Set<String>?
  /// The links that vmx can use, at most 32.
  package let links: [LicenceLink]

  /// Parses a document.
  ///
  /// - Throws: `not-a-licence`. The caller ignores such a document, and it blocks nothing.
  package init(_ bytes: [UInt8]) throws(Failure) {
    let reader = try DocumentReader(bytes, limit: Self.largest, "status document")
    id = try reader.text("id")
    guard let status = BackendStatus(rawValue: try reader.text("status")) else {
      throw reader.wrong("status", "a Readium licence status")
    }
    self.status = status
    guard let message = reader.words("message") else { throw reader.wrong("message", "a text") }
    self.message = message
    let updated = try reader.object("updated")
    licenceChanged = try updated.time("license")
    statusChanged = try updated.time("status")
    let links = try reader.links()
    guard links.first("license") != nil else {
      throw Failure(.notALicence, "the status document has no link 'license'")
    }
    let known = Set(BackendView.Offer.allCases.map(\.rel))
    self.links = Array(
      links.lazy.filter { $0.rels.contains(where: known.contains) }.prefix(Self.maxLinks))
    potentialEnd = try reader.optionalObject("potential_rights")?.optionalTime("end")
    devices = Self.devices(reader)
  }

  /// Returns the ids of the registered devices. Skips malformed events, since events are only
  /// informative.
  private static func devices(_ reader: DocumentReader) -> Set<String>? {
    guard let events = reader.value("events")?.array else { return nil }
    var devices: Set<String> = []
    for event in events {
      guard let event = event.object, event["type"]?.string == "register",
        let id = event["id"]?.string
      else { continue }
      devices.insert(id)
    }
    return devices
  }

  /// The ids of the registered devices; empty if unknown.
  var registered: Set<String> { devices ?? [] }
}
