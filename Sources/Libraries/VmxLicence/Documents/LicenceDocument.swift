package import VmxModel

/// A licence document (Readium LCP 1.0, section 3), reduced to the fields that a client without
/// decryption needs.
///
/// The file is stored byte for byte, since the signature covers a canonical form of all members.
/// The names and email addresses in `user` are never decoded.
///
///     let licence = try LicenceDocument(bytes)
///     let end = licence.ends
package struct LicenceDocument: Sendable, Equatable {
  /// The maximum size of a document in bytes.
  package static let maxBytes = 256 << 10
  /// The media type.
  package static let mediaType = "application/vnd.readium.lcp.license.v1.0+json"

  /// The id, an opaque string.
  package let id: String
  /// The URI of the provider.
  package let provider: String
  /// The time of the last change: `updated`, else `issued`.
  package let changed: Timestamp
  /// The start of the rights; nil for none.
  package let starts: Timestamp?
  /// The end of the rights; nil for none.
  package let ends: Timestamp?
  /// The provider-specific rights, keyed by URI.
  package let ownRights: JSONObject
  /// The links.
  package let links: [LicenceLink]

  /// Parses a document.
  ///
  /// - Throws: `not-a-licence`, which names the first missing or invalid field.
  package init(_ bytes: [UInt8]) throws(Failure) {
    let reader = try DocumentReader(bytes, limit: Self.maxBytes, "licence")
    id = try reader.text("id")
    provider = try reader.text("provider")
    let issued = try reader.time("issued")
    changed = try reader.optionalTime("updated") ?? issued
    _ = try reader.object("encryption")
    _ = try reader.object("signature")
    links = try reader.links()
    for rel in ["publication", "hint"] where links.first(rel) == nil {
      throw Failure(.notALicence, "the licence has no link '\(rel)'")
    }
    let rights = try reader.optionalObject("rights")
    starts = try rights?.optionalTime("start")
    ends = try rights?.optionalTime("end")
    let own = rights?.object.fields.filter { $0.key.contains(":") } ?? []
    ownRights = JSONObject(distinct: own)
  }

  /// Returns whether the bytes are intended as a licence, valid or not: a JSON object with at least
  /// one member specific to licences. Keys of other kinds are opaque to vmx.
  package static func isMeant(by bytes: [UInt8]) -> Bool {
    do throws(Failure) {
      let object = try DocumentReader(bytes, limit: maxBytes, "licence").object
      return ["encryption", "provider", "signature", "rights"].contains { object[$0] != nil }
    } catch {
      return false
    }
  }

  /// The link to the publication that the licence covers.
  package var publication: LicenceLink? { links.first("publication") }

  /// The link to the status document; nil for a licence without one.
  package var status: LicenceLink? { links.first("status") }

  /// Returns the play period after the first play in milliseconds; nil if there is none. The
  /// shortest applies.
  ///
  /// - Parameter names: the URIs of play-period rights (`licence.play-period`). All other rights
  ///   are ignored.
  package func playPeriod(named names: [String]) -> Int64? {
    let periods = names.compactMap { name in
      ownRights[name]?.string.flatMap { DurationText.milliseconds(iso8601: $0) }
    }
    return periods.min()
  }
}

extension DurationText {
  /// Parses an ISO 8601 duration in days, hours, minutes and seconds, such as `PT48H` or `P2D`, or
  /// in weeks. Returns milliseconds; nil for other forms, since months and years have no fixed
  /// length.
  package static func milliseconds(iso8601 text: String) -> Int64? {
    var rest = Array(text.utf8)[...]
    guard rest.popFirst() == UInt8(ascii: "P"), !rest.isEmpty else { return nil }
    var sum: Int64 = 0
    var units: [(UInt8, Int64)] = [
      (UInt8(ascii: "W"), 604_800_000), (UInt8(ascii: "D"), 86_400_000),
    ]
    var isTime = false
    while !rest.isEmpty {
      if rest.first == UInt8(ascii: "T"), !isTime {
        rest.removeFirst()
        isTime = true
        units = [
          (UInt8(ascii: "H"), 3_600_000), (UInt8(ascii: "M"), 60_000), (UInt8(ascii: "S"), 1000),
        ]
        guard !rest.isEmpty else { return nil }
      }
      let digits = rest.prefix(while: \.isASCIIDigit)
      rest = rest.dropFirst(digits.count)
      guard !digits.isEmpty, digits.count < 10,
        let number = Int64(String(decoding: digits, as: UTF8.self)), let unit = rest.popFirst(),
        let index = units.firstIndex(where: { $0.0 == unit })
      else { return nil }
      sum = sum.addingClamped(number.multipliedClamped(by: units[index].1))
      units.removeSubrange(...index)
    }
    return sum
  }
}
