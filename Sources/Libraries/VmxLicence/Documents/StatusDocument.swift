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
  package static let maxBytes = 512 << 10
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
    let reader = try DocumentReader(bytes, limit: Self.maxBytes, "status document")
    id = try reader.text("id")
    guard let status = BackendStatus(rawValue: try reader.text("status")) else {
      throw reader.invalid("status", "a Readium licence status")
    }
    self.status = status
    guard let message = reader.userText("message") else {
      throw reader.invalid("message", "a text")
    }
    self.message = message
    licenceChanged = try reader.object("updated").time("license")
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

/// The reason for a refusal: a problem document (RFC 9457). It is parsed leniently because real
/// servers omit members that Readium requires.
package struct ProblemDocument: Sendable, Equatable {
  private static let errors = "http://readium.org/license-status-document/error/"

  /// The part of `type` after Readium's prefix, such as `return/already`; nil for another type.
  package let readiumType: String?
  /// The truncated title and detail for the user.
  package let message: String?
  /// The time from which the provider accepts the request again (the provider-specific member
  /// `resets`).
  package let resets: Timestamp?

  /// Parses the body of a refusal. All fields are nil if the body is not a problem document.
  package init(_ bytes: [UInt8]) {
    let reader: DocumentReader
    do throws(Failure) {
      reader = try DocumentReader(bytes, limit: LicenceDocument.maxBytes, "refusal")
    } catch {
      (readiumType, message, resets) = (nil, nil, nil)
      return
    }
    let type = reader.value("type")?.string ?? ""
    readiumType = type.hasPrefix(Self.errors) ? String(type.dropFirst(Self.errors.count)) : nil
    let texts = [reader.userText("title"), reader.userText("detail")].compactMap { $0 }
    message = texts.isEmpty ? nil : texts.joined(separator: " ")
    resets = reader.value("resets")?.string.flatMap { Timestamp($0) }
  }
}
