import VmxModel

/// Splits a byte source into lines and returns each as soon as it is complete.
struct LineReader {
  /// The maximal length of a line in bytes. Longer lines are cut, so that no input exhausts the
  /// memory.
  static let longest = 16 << 20

  /// One line without its terminator.
  struct Line: Equatable {
    let number: Int
    let bytes: [UInt8]
    /// Whether the line was too long and was cut.
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

  /// Whether the buffer contains the end of another line.
  var hasWholeLine: Bool { held[start...].contains(UInt8(ascii: "\n")) }

  /// Returns the next line; nil at the end. A last line without a terminator counts; `\r\n` also
  /// ends a line.
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
