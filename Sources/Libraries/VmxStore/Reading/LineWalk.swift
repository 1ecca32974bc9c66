import VmxJSON
import VmxModel

/// The result of a walk for an id, so that the next walk need not read the same bytes again.
struct WalkCache: Sendable {
  /// The offset at which the walk began, at its upper end.
  let from: Int
  /// The lines that it found, last first.
  let hits: [LineWalk.Hit]
  /// The offset at which the walk ended, at its lower end.
  let to: Int
}

/// The lines of roots that other walks have passed. A listing of one episode next looks up the root
/// of its files, whose record may be at the other end of the store.
struct ScannedRoots: Sendable {
  /// The end of the image that was walked.
  let bound: Int
  /// The offset after which the walk has passed all lines.
  var from: Int
  /// The lines by root, last first.
  var hits: [String: [LineWalk.Hit]] = [:]
  /// Whether there were lines in another form than the writer's, which may belong to any root.
  var isIncomplete = false

  init(before bound: Int) {
    self.bound = bound
    from = bound
  }
}

/// Finds the lines of one id without an index, scanning backwards from the end of the store.
struct LineWalk {
  let image: StoreImage
  let parser: JSONParser
  /// The cache of earlier walks. A writer that walks before it has the lock then reads only
  /// appended lines under it.
  var cache: IndexCache?

  /// A line that contains the id.
  struct Hit: Sendable {
    let offset: Int
    /// The kind of the line; nil if the line is too damaged to contain one.
    let kind: RecordKind?
  }

  /// Visits the current lines of an id, last first, until the body returns false.
  ///
  /// - Parameters:
  ///   - kind: the only kind that is searched for; nil for several kinds.
  ///   - offset: the upper end of the walk; a line that starts there is not visited.
  func visit(
    _ id: String, of kind: RecordKind? = nil, before offset: Int, _ body: (Hit) -> Bool
  ) {
    let isWhole = offset == image.bound
    let memo = isWhole ? cache?.walk(for: id, of: kind, in: image) : nil
    var roots = ScannedRoots(before: offset)
    var hits: [Hit] = []
    var end = offset
    let take = { (hit: Hit) in
      hits.append(hit)
      return body(hit)
    }
    let shouldContinue = scan(
      for: id, from: &end, downTo: memo?.from ?? 0, roots: &roots, body: take)
    if let memo, shouldContinue {
      let isEnough = !memo.hits.allSatisfy(body)
      hits += memo.hits
      end = memo.to
      // The earlier walk may have stopped early; this walk continues where it ended.
      if !isEnough { _ = scan(for: id, from: &end, downTo: 0, roots: &roots, body: take) }
    }
    guard isWhole else { return }
    cache?.store(WalkCache(from: offset, hits: hits, to: end), for: id, in: image)
    if memo == nil, !roots.isIncomplete {
      roots.from = end
      cache?.store(roots, in: image)
    }
  }

  /// Continues the walk from an offset; false if the body has ended it.
  private func scan(
    for id: String, from end: inout Int, downTo limit: Int, roots: inout ScannedRoots,
    body: (Hit) -> Bool
  ) -> Bool {
    let name = Array(id.utf8)
    while end > limit {
      let (start, lines) = image.bytes(upTo: end)
      let first = max(start, limit)
      let rest = UnsafeRawBufferPointer(rebasing: lines[(first - start)...])
      guard let found = ByteSearch.lastLine(naming: name, in: rest) else {
        end = first
        continue
      }
      end = first + found
      record(end, &roots)
      if let hit = hit(at: end, id), !body(hit) { return false }
    }
    return true
  }

  /// Records the line at an offset if it is of a root or may be.
  func record(_ offset: Int, _ roots: inout ScannedRoots) {
    guard let start = LineStart(image.line(at: offset)) else {
      roots.isIncomplete = true
      return
    }
    guard start.kind.equals("root") else { return }
    let id = String(decoding: start.id, as: UTF8.self)
    if let hit = hit(at: offset, id) { roots.hits[id, default: []].append(hit) }
  }

  /// Returns the line at an offset if it contains the id and is not part of an unfinished
  /// transaction.
  func hit(at offset: Int, _ id: String) -> Hit? {
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

  /// Whether the transaction of the line at an offset has a commit line.
  private func commits(_ offset: Int) -> Bool {
    let transaction = image.transaction(at: offset, parser)
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
