import VmxModel

// The lookup of a digest that is published beside a file.
//
// It requests `NAME.sha256`, then `SHA256SUMS` in the same folder, after the bytes have arrived. A
// source that fails therefore costs no extra request, and a file replaced meanwhile is compared
// with the current digest. A missing file is not a failure. Neither is a text without the file's
// name, but the observer receives a note. A server that asks to wait or cannot be reached has not
// answered: that is a failure like any other.

/// Fetches the digest that is published beside a source.
struct ChecksumLookup {
  /// The maximum size of such a text.
  private static let limit = ByteCount(clamping: 64 << 10)

  private let source: TransferSource
  private let session: TransferSession
  private let name: String
  private let places: [RequestURL]

  /// Creates a lookup beside a source.
  init(_ source: TransferSource, _ url: RequestURL, _ session: TransferSession) {
    self.source = source
    self.session = session
    let (folder, name, query) = url.pieces
    self.name = name
    let texts = name.isEmpty ? [] : ["\(folder)\(name).sha256", "\(folder)SHA256SUMS"]
    places = texts.compactMap { RequestURL($0 + query) }
  }

  /// The digest published for the file; nil if there is no usable one.
  ///
  /// - Throws: the failure that ends the transfer: a stop, or a server that did not answer.
  func digest() throws(TransferError) -> Digest? {
    for place in places {
      guard let bytes = try text(at: place) else { continue }
      let plain = PercentCoding.decoded(name) ?? name
      if let digest = ChecksumFile(bytes)?.digest(of: plain) { return digest }
      session.observer.noted("'\(place.shown)' has no digest for '\(plain)'")
    }
    return nil
  }

  /// Fetches the text at a URL with retries; nil if it does not exist or cannot be fetched.
  private func text(at place: RequestURL) throws(TransferError) -> [UInt8]? {
    var source = source
    source.url = place.text
    do throws(TransferError) {
      return try DocumentFetch(DocumentRequest(source, limit: Self.limit), session).perform()?.bytes
    } catch {
      switch error {
      case .rateLimited, .unreachable: throw error
      case .status(_, let status) where !StatusMeaning(status).isPassing: return nil
      case let error where error.isOurs: throw error
      default:
        session.observer.noted(error.summary)
        return nil
      }
    }
  }
}
