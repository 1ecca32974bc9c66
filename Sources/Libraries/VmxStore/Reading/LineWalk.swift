import VmxJSON
import VmxModel

/// Finds the lines of one id without an index, from the end of the store backwards.
struct LineWalk {
  let image: StoreImage
  let parser: JSONParser

  /// A line that names the id.
  struct Hit {
    let offset: Int
    /// Nil where the line is too broken to tell.
    let kind: RecordKind?
  }

  /// Visits the lines of an id that count, last first, until the body gives false.
  ///
  /// - Parameter offset: where to begin; a line that starts there is not visited.
  func visit(_ id: String, before offset: Int, _ body: (Hit) -> Bool) {
    let name = Array(id.utf8)
    var end = offset
    while end > 0 {
      let (start, lines) = image.bytes(upTo: end)
      guard let found = ByteSearch.lastLine(naming: name, in: lines) else {
        end = start
        continue
      }
      end = start + found
      guard let hit = hit(at: end, id) else { continue }
      if !body(hit) { return }
    }
  }

  private func hit(at offset: Int, _ id: String) -> Hit? {
    let line = image.line(at: offset)
    if let start = LineStart(line) {
      guard start.id.elementsEqual(id.utf8), start.transaction == nil || commits(offset) else {
        return nil
      }
      return Hit(
        offset: offset, kind: RecordKind(rawValue: String(decoding: start.kind, as: UTF8.self)))
    }
    guard let facts = image.facts(of: line, at: offset, parser) else {
      return DamagedLine.names(id, line) ? Hit(offset: offset, kind: nil) : nil
    }
    guard facts.key.id == id, facts.transaction == nil || commits(offset) else { return nil }
    return Hit(offset: offset, kind: facts.key.kind)
  }

  /// Whether the transaction of the line at an offset was finished.
  private func commits(_ offset: Int) -> Bool {
    let transaction = LineKey.transaction(at: offset, of: image, parser)
    var next = offset
    while next < image.bound {
      let line = image.line(at: next)
      if let start = LineStart(line) {
        guard start.transaction.map({ String(decoding: $0, as: UTF8.self) }) == transaction
        else { return false }
        if start.commits { return true }
      } else if let facts = image.facts(of: line, at: next, parser) {
        guard facts.transaction == transaction else { return false }
        if facts.commits { return true }
      }
      next += line.count + 1
    }
    return false
  }
}
