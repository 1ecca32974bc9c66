import VmxJSON
import VmxModel

/// Limits of the sequence numbers in lines and headers, which an editor may have changed.
enum LineNumbers {
  /// The largest number that a writer gives to a line: 18 digits, which is all that `LineStart`
  /// reads.
  static let largest: Int64 = 999_999_999_999_999_999
  /// The largest number that leaves enough numbers for further lines; a compaction replaces larger
  /// ones.
  static let plausible: Int64 = 900_000_000_000_000_000

  /// Returns the epoch of the next compaction.
  static func epoch(after epoch: Int64) -> Int64 {
    (0..<largest).contains(epoch) ? epoch + 1 : 1
  }

  /// Returns the highest plausible number of all lines of an image.
  static func highestPlausible(in image: StoreImage) -> Int64 {
    let parser = JSONParser()
    var highest: Int64 = 0
    var offset = 0
    while offset < image.bound {
      let line = image.line(at: offset)
      let seq = LineStart(line)?.seq ?? image.facts(of: line, at: offset, parser)?.seq
      if let seq, seq <= plausible { highest = max(highest, seq) }
      offset += line.count + 1
    }
    return highest
  }
}
