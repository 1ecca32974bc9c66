package import VmxModel

/// The last status document of a backend, reduced to the fields that decisions need.
///
/// It never becomes the licence state directly: only `reconcile` derives that state from it.
package struct BackendView: Sendable, Equatable {
  /// The calls that a status document may link. The commands offer no call without a link.
  package enum Offer: String, Sendable, CaseIterable {
    /// The newest licence document.
    case licence
    /// The registration of a device.
    case register
    /// The return of the licence.
    case returnLicence = "return"
    /// A later end, requested from the server.
    case renew
    /// A later end, requested by the user on a web page.
    case renewPage = "renew-page"

    /// The link relation.
    package var rel: String {
      switch self {
      case .licence: "license"
      case .renewPage: "renew"
      default: rawValue
      }
    }
  }

  /// The status.
  package var status: BackendStatus
  /// The message to the user.
  package var message: String
  /// The time of the last change of the licence document.
  package var licenceChanged: Timestamp
  /// The latest end that a renewal can reach; nil if unknown.
  package var potentialEnd: Timestamp?
  /// The number of registered devices; nil if unknown.
  package var devices: Int?
  /// The time at which this status was first read.
  package var since: Timestamp
  /// The calls with a usable link.
  package var offers: Set<Offer>
  /// The address of the web page on which the user can renew.
  package var page: String?

  /// Creates a view of a status document.
  ///
  /// - Parameters:
  ///   - base: the URL of the document.
  ///   - before: the previous view, whose `since` is kept while the status is the same.
  package init(
    _ document: StatusDocument, base: WebURL?, before: BackendView? = nil, now: Timestamp
  ) {
    status = document.status
    message = document.message
    licenceChanged = document.licenceChanged
    potentialEnd = document.potentialEnd
    devices = document.devices?.count
    since = before.flatMap { $0.status == document.status ? $0.since : nil } ?? now
    offers = Set(Offer.allCases.filter { document.link($0)?.address(base: base) != nil })
    page = document.link(.renewPage)?.address(base: base)?.text
  }

  private init(status: BackendStatus, licenceChanged: Timestamp, since: Timestamp) {
    self.status = status
    message = ""
    self.licenceChanged = licenceChanged
    self.since = since
    offers = []
  }
}

extension StatusDocument {
  /// The encryption profiles of the licences that vmx keeps, the lowest first. It decrypts none of
  /// them.
  private static let profiles = [
    "http://readium.org/lcp/basic-profile", "http://readium.org/lcp/profile-1.0",
  ]

  /// Returns the link for a call; nil if there is none.
  package func link(_ offer: BackendView.Offer) -> LicenceLink? {
    let found = links.filter { $0.rels.contains(offer.rel) }
    switch offer {
    case .licence: return Self.highest(found)
    case .renew: return found.first { $0.type != "text/html" }
    case .renewPage: return found.first { $0.type == "text/html" }
    default: return found.first
    }
  }

  /// Returns the link with the highest supported profile. A link without a profile is supported and
  /// ranks lowest.
  private static func highest(_ links: [LicenceLink]) -> LicenceLink? {
    func rank(_ link: LicenceLink) -> Int? {
      guard let profile = link.profile else { return -1 }
      return profiles.firstIndex(of: profile)
    }
    return links.filter { rank($0) != nil }.max { rank($0) ?? -1 < rank($1) ?? -1 }
  }
}

extension BackendView {
  /// Decodes the field of a record. Returns nil for a malformed field; the backend is then queried
  /// again.
  init?(_ fields: JSONObject) {
    guard let status = fields["status"]?.string.flatMap({ BackendStatus(rawValue: $0) }),
      let changed = fields["licence_changed"]?.string.flatMap({ Timestamp($0) }),
      let since = fields["since"]?.string.flatMap({ Timestamp($0) })
    else { return nil }
    self.init(status: status, licenceChanged: changed, since: since)
    message = fields["message"]?.string ?? ""
    potentialEnd = fields["potential_end"]?.string.flatMap { Timestamp($0) }
    devices = fields["devices"]?.integer.map { Int(clamping: $0) }
    offers = Set((fields["offers"]?.array ?? []).compactMap { $0.string.flatMap(Offer.init) })
    page = fields["page"]?.string
  }

  /// The encoded field of a record.
  var fields: JSONObject {
    var object = JSONObject()
    object.append("status", status.rawValue)
    object.append("message", message)
    object.append("licence_changed", licenceChanged.text)
    object.append("since", since.text)
    object.append("potential_end", potentialEnd?.text)
    object.append("devices", devices.map { .integer(Int64($0)) })
    object.append("offers", .array(offers.map(\.rawValue).sorted().map { .string($0) }))
    object.append("page", page)
    return object
  }
}
