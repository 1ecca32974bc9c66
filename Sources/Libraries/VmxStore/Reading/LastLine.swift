import VmxJSON
import VmxModel

/// Reads facts from the last lines of a store without an index.
enum LastLine {
  /// Returns the sequence number of the last line that has one, searching backwards.
  static func seq(of image: StoreImage) -> Int64 {
    let parser = JSONParser()
    var end = image.bound
    while end > 0 {
      let (start, lines) = image.bytes(upTo: end)
      guard !lines.isEmpty else { return 0 }
      let newline = ByteSearch.lastNewline(in: .init(rebasing: lines.dropLast()))
      let offset = start + (newline.map { $0 + 1 } ?? 0)
      let line = image.line(at: offset)
      if let start = LineStart(line) { return start.seq }
      if let facts = image.facts(of: line, at: offset, parser) {
        return facts.seq
      }
      end = offset
    }
    return 0
  }
}
