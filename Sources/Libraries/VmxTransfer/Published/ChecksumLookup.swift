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
  /// The maximum size of such a text in bytes.
  private static let limit = 64 * 1024

  private let source: TransferSource
  private let context: RunContext
  private let name: String
  private let places: [RequestURL]

  /// Creates a lookup beside a source.
  init(_ source: TransferSource, _ url: RequestURL, _ context: RunContext) {
    self.source = source
    self.context = context
    let (folder, name, query) = url.pieces
    self.name = name
    let texts = name.isEmpty ? [] : ["\(folder)\(name).sha256", "\(folder)SHA256SUMS"]
    places = texts.compactMap { RequestURL($0 + query) }
  }

  /// The digest published for the file; nil if there is no usable one.
  ///
  /// - Throws: the failure that ends the transfer: a stop, or a server that did not answer.
  func digest(_ part: inout PartialDownload) throws(TransferError) -> Digest? {
    for place in places {
      guard let bytes = try text(at: place, &part) else { continue }
      let plain = PercentCoding.decoded(name) ?? name
      if let digest = ChecksumFile(bytes)?.digest(of: plain) { return digest }
      context.note("'\(place.shown)' has no digest for '\(plain)'")
    }
    return nil
  }

  /// Fetches the text at a URL with retries; nil if it does not exist or cannot be fetched.
  private func text(
    at place: RequestURL, _ part: inout PartialDownload
  ) throws(TransferError) -> [UInt8]? {
    let chain = RequestChain(context: context, source: source, url: place)
    // A single connection is enough.
    let connections = ConnectionGroup(context, chain, source: 0)
    var retryBudget = RetryBudget(context.settings, held: 0)
    while true {
      do throws(TransferError) {
        return try attempt(chain, connections, &part)
      } catch {
        guard !error.isOurs else { throw error }
        switch context.verdict(of: &retryBudget, after: error, held: 0) {
        case .retry(let delay, let attempt):
          try context.pause(
            delay, attempt: attempt, after: error, connections, &part, untilWhole: false)
        case .giveUp:
          switch error {
          case .rateLimited, .unreachable, .offline:
            throw error.withTime(after: context.clock.now, context.settings)
          case .status(_, let status) where !StatusMeaning(status).isPassing: return nil
          default:
            context.note(error.summary)
            return nil
          }
        }
      }
    }
  }

  private func attempt(
    _ chain: RequestChain, _ connections: ConnectionGroup, _ part: inout PartialDownload
  ) throws(TransferError) -> [UInt8] {
    try context.heedQuiet(chain.url, connections, &part, untilWhole: false)
    try context.heedBudget(chain.url, connections, &part, untilWhole: false)
    let response = try chain.ask(.whole, decodes: true, insists: false, connections, &part)
    guard response.head.status == 200 else {
      response.transfer.discard()
      throw response.failure(context)
    }
    do throws(TransferError) {
      return try body(of: response, connections, &part)
    } catch {
      context.loop.abandon(response.transfer)
      throw error
    }
  }

  private func body(
    of response: Response, _ connections: ConnectionGroup, _ part: inout PartialDownload
  ) throws(TransferError) -> [UInt8] {
    var text: [UInt8] = []
    while true {
      try context.tell(held: part.held, total: part.total)
      switch try connections.next(response.transfer, &part) {
      case .body(let bytes):
        context.received += Int64(bytes.count)
        text += bytes
        guard text.count <= Self.limit else {
          throw .tooLarge(url: response.url.shown, limit: Int64(Self.limit))
        }
        if response.transfer.giveBack(bytes) { context.loop.wake() }
      case .end(.complete): return text
      case .end(let end):
        throw end.error(
          response.url.shown, hasHead: true, held: (part.held, part.total), context.settings)
      case .head, nil: continue
      }
    }
  }
}
