import VmxJSON
import VmxModel

extension Response {
  /// The maximum size in bytes of a refusal whose body is read.
  private static let maxRefusalBytes: Int64 = 64 << 10

  /// Receives the whole body. The caller abandons the transfer after an error.
  ///
  /// - Parameter limit: the maximum number of bytes, decoded.
  func body(_ limit: Int64, _ session: TransferSession) throws(TransferError) -> [UInt8] {
    let tooLarge = TransferError.tooLarge(url: url.redacted, limit: limit)
    if let contradiction = head.contradiction {
      throw .protocolBroken(url: url.redacted, detail: contradiction)
    }
    if let total = head.total, total > limit { throw tooLarge }
    var document: [UInt8] = []
    while true {
      switch try session.event(of: transfer) {
      case .body(let bytes):
        session.received += Int64(bytes.count)
        guard document.count + bytes.count <= limit else { throw tooLarge }
        document += bytes
        if transfer.recycle(bytes) { session.loop.wake() }
      case .end(.complete): return document
      case .end(let end): throw session.error(end, of: url, hasHead: true)
      case .head, nil: continue
      }
    }
  }

  /// Ends the response of a refusal. Returns the time from which a provider that counts downloads
  /// allows the next one: the member `resets` of a problem document (RFC 9457); nil if it states
  /// none.
  func resets(_ session: TransferSession) -> Timestamp? {
    let type = (head["content-type"] ?? "").lowercased()
    guard (400..<500).contains(head.status), type.hasPrefix("application/problem+json") else {
      transfer.discard()
      return nil
    }
    let bytes: [UInt8]
    do throws(TransferError) {
      bytes = try body(Self.maxRefusalBytes, session)
    } catch {
      session.loop.cancel(transfer)
      return nil
    }
    return bytes.withUnsafeBytes { bytes in
      JSONParser().withTape(copying: bytes) { $0.field("resets")?.string.flatMap { Timestamp($0) } }
    }
  }
}
