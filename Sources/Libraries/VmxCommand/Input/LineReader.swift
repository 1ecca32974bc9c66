import VmxModel

/// Splits a source into lines, giving each as soon as its end has come.
struct LineReader {
  /// Bytes in the longest line; longer ones are cut, so that no input can fill the memory.
  static let longest = 16 << 20

  /// One line without its end.
  struct Line: Equatable {
    let number: Int
    let bytes: [UInt8]
    /// Whether it was too long and is not whole.
    let isCut: Bool
  }

  private let source: any ByteSource
  private var held: [UInt8] = []
  private var start = 0
  private var number = 0
  private var isAtEnd = false

  init(_ source: any ByteSource) {
    self.source = source
  }

  /// Whether the bytes held contain the end of another line.
  var hasWholeLine: Bool { held[start...].contains(UInt8(ascii: "\n")) }

  /// The next line; nil at the end. A last line without its end counts, `\r\n` ends one too.
  mutating func next() throws(Failure) -> Line? {
    var line: [UInt8] = []
    var isCut = false
    while true {
      let end = held[start...].firstIndex(of: UInt8(ascii: "\n"))
      let piece = held[start..<(end ?? held.count)]
      let room = Self.longest - line.count
      line.append(contentsOf: piece.prefix(room))
      isCut = isCut || piece.count > room
      if let end {
        start = end + 1
        break
      }
      start = held.count
      if !isAtEnd { try refill() }
      guard isAtEnd else { continue }
      if line.isEmpty { return nil }
      break
    }
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    number += 1
    return Line(number: number, bytes: line, isCut: isCut)
  }

  private mutating func refill() throws(Failure) {
    held = try source.read()
    start = 0
    isAtEnd = held.isEmpty
  }
}
