import VmxModel

/// The bytes of the file that one answer still has to bring.
///
/// It may be cut while the answer flows, because another connection brings the bytes behind.
// A class, because both who takes the answer and who hands out ranges look at it.
final class RangeCursor {
  /// Offset in the file of the next byte that comes.
  private(set) var position: Int64
  /// Offset at which to stop; nil where only the end of the answer tells.
  private(set) var end: Int64?
  /// Bytes written.
  private(set) var written: Int64 = 0
  /// Where the answer ends by its own word.
  private let told: Int64?

  /// What an answer says that it brings.
  init(from position: Int64, to end: Int64?) {
    self.position = position
    self.end = end
    told = end
  }

  /// Whether it stops before the answer does.
  var isCut: Bool { end != told }
  /// Whether all has come.
  var isDone: Bool { position == end }

  /// Stops at an offset: another connection brings what is behind. What has come has come.
  func cut(at offset: Int64) {
    end = max(position, min(offset, end ?? .max))
  }

  /// Goes on to the end of the answer after all.
  func extend() {
    end = told
  }

  /// Passes bytes that are only looked at.
  func pass(_ count: Int) {
    position += Int64(count)
  }

  /// Writes bytes as they come; what is behind the end, or held already, is left out.
  ///
  /// - Throws: also `range-broken` where the answer has more than it said.
  func take(
    _ bytes: ArraySlice<UInt8>, _ part: inout PartialDownload, url: String
  ) throws(TransferError) {
    let count = Int64(bytes.count)
    if let told, position + count > told {
      throw .rangeBroken(url: url, detail: "more bytes came than the range has")
    }
    let range = ByteRange(position..<min(position + count, end ?? .max))
    for gap in part.missing(in: range) {
      let first = bytes.startIndex + Int(gap.start - position)
      try part.write(bytes[first..<first + Int(gap.count)], at: gap.start)
      written += gap.count
    }
    position = range.end
  }
}
