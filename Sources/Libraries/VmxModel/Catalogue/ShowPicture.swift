/// The picture of a show: its address, its file in the folder of the show, and the requests for it.
///
///     var picture = ShowPicture(url: "https://example.org/cover.jpg", isForeign: true)
///     if picture.request(isMissing: true, isDescribedAgain: false, at: now) == .full { … }
package struct ShowPicture: FieldRecord, Equatable {
  /// The fields in the order in which they are written.
  package enum Field: String, RecordField {
    case url, foreign, file, type, sha256
    case previous = "sha256_before"
    case adopted, checked, etag
    case lastModified = "last_modified"
    case attempts, retry
  }

  /// A request for the picture.
  package enum Request: Sendable, Equatable {
    /// No request.
    case none
    /// A request for the whole picture.
    case full
    /// A request that a server without another version answers without the picture.
    case ifChanged
  }

  /// The wait after the first failed request, in milliseconds; it doubles with each further one.
  private static let firstDelay: Int64 = 3_600_000
  /// The longest wait after a failed request: 7 days.
  private static let maxDelay: Int64 = 7 * 86_400_000
  /// The shortest time between two requests for a picture that is there: 1 day.
  private static let checkInterval: Int64 = 86_400_000

  package static let fields = FieldSet<Field>(Field.allCases)
  package static var blank: ShowPicture { ShowPicture(url: "", isForeign: false) }

  /// The address from which it is fetched; empty if it is only a file.
  package var url: String
  /// Whether another program supplied the address, which then may not lead to a private network.
  package var isForeign: Bool
  /// The name of the file in the folder of the show; nil if there is none.
  package var file: String?
  /// The media type of the file.
  package var type: String?
  /// The digest of the file.
  package var sha256: Digest?
  /// The digest of the file that `sha256` replaces. Both are of vmx, whichever a crash left.
  package var previous: Digest?
  /// Whether the file is of the user or another program, so that vmx neither replaces nor removes
  /// it.
  package var isAdopted = false
  /// The time of the last successful request for the address.
  package var checked: Timestamp?
  /// The validators of the received version.
  package var validators = Validators()
  /// The number of failed requests since the last successful one.
  package var attempts: Int64 = 0
  /// The time of the next request after a failed one.
  package var retry: Timestamp?
  package var extra = JSONObject()

  /// Creates a picture that was not fetched.
  package init(url: String, isForeign: Bool) {
    self.url = url
    self.isForeign = isForeign
  }

  package mutating func code<C: FieldCoder>(
    _ field: Field, _ coder: inout C
  ) throws(C.Problem) {
    switch field {
    case .url: try coder.field(&url, omitting: "")
    case .foreign: try coder.field(&isForeign, omitting: false)
    case .file: try coder.field(&file, .path)
    case .type: try coder.field(&type)
    case .sha256: try coder.field(&sha256)
    case .previous: try coder.field(&previous)
    case .adopted: try coder.field(&isAdopted, omitting: false)
    case .checked: try coder.field(&checked)
    case .etag: try coder.field(&validators.etag)
    case .lastModified: try coder.field(&validators.lastModified)
    case .attempts: try coder.field(&attempts, omitting: 0)
    case .retry: try coder.field(&retry)
    }
  }
}

extension ShowPicture {
  /// Whether a file with this digest was written by vmx.
  package func isOwn(_ digest: Digest) -> Bool {
    !isAdopted && (digest == sha256 || digest == previous)
  }

  /// Returns the request that a run sends for the picture.
  ///
  /// - Parameters:
  ///   - isMissing: whether no folder of the show has the file.
  ///   - isDescribedAgain: whether the feed of the show has changed, so that the picture may have
  ///     changed too.
  package func request(
    isMissing: Bool, isDescribedAgain: Bool, at now: Timestamp
  ) -> Request {
    guard !url.isEmpty else { return .none }
    // A later time than the longest wait comes from a wrong clock.
    if let retry, retry > now, retry <= now.adding(milliseconds: Self.maxDelay) { return .none }
    if isAdopted, !isMissing { return .none }
    guard let checked, !isMissing else { return .full }
    let isRecent = checked <= now && checked.adding(milliseconds: Self.checkInterval) > now
    return isDescribedAgain && !isRecent && validators != Validators() ? .ifChanged : .none
  }

  /// Takes the address that a source gives. The file stays until another address was fetched.
  package mutating func take(_ other: ShowPicture) {
    guard other.url != url else {
      isForeign = other.isForeign
      return
    }
    (url, isForeign) = (other.url, other.isForeign)
    (checked, validators) = (nil, Validators())
    (attempts, retry) = (0, nil)
  }

  /// Records a successful request.
  ///
  /// - Parameter new: the validators of the response.
  package mutating func succeed(_ new: Validators, at now: Timestamp) {
    checked = now
    validators = new
    (attempts, retry) = (0, nil)
  }

  /// Records the file that vmx is about to write.
  package mutating func record(_ digest: Digest, file name: String, type media: String) {
    if digest != sha256 { previous = isAdopted ? nil : sha256 }
    (sha256, file, type, isAdopted) = (digest, name, media, false)
  }

  /// Records a failed request.
  package mutating func fail(at now: Timestamp) {
    let wait = Self.firstDelay << min(attempts, 8)
    attempts += 1
    retry = now.adding(milliseconds: min(wait, Self.maxDelay))
  }
}
