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

  /// A view before any field is decoded.
  private init() {
    let start = Timestamp(seconds: 0)
    (status, message, licenceChanged, since, offers) = (.ready, "", start, start, [])
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

extension BackendView.Offer: FieldValue {}
extension BackendStatus: FieldValue {}

/// The field of a licence record; a malformed one is dropped, and the backend queried again.
extension BackendView: LenientRecord {
  /// The fields of a view.
  package enum Field: String, RecordField {
    case status, message
    case licenceChanged = "licence_changed"
    case since
    case potentialEnd = "potential_end"
    case devices, offers, page
  }

  package static let fields = FieldSet<Field>(Field.allCases)
  package static var blank: BackendView { BackendView() }

  package mutating func code<C: FieldCoder>(
    _ field: Field, _ coder: inout C
  ) throws(C.Problem) {
    switch field {
    case .status: try coder.required(&status)
    case .message: try coder.field(&message, absent: "")
    case .licenceChanged: try coder.required(&licenceChanged)
    case .since: try coder.required(&since)
    case .potentialEnd: try coder.field(&potentialEnd)
    case .devices:
      var count = devices.map { Int64($0) }
      try coder.field(&count)
      devices = count.map { Int(clamping: $0) }
    case .offers:
      var sorted = offers.sorted { $0.rawValue < $1.rawValue }
      try coder.field(&sorted, absent: [])
      offers = Set(sorted)
    case .page: try coder.field(&page)
    }
  }
}
