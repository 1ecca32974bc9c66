package import VmxModel

// An NFO file has elements that vmx writes, and others that only players, people and catalogues
// know: ratings of the user, credits, actors, ids, pictures. The latter live in the file alone, so
// each version that vmx writes takes them from the file that it replaces. Elements that vmx writes
// come first, in a fixed order, so that the same elements always give the same bytes.

/// Joins the document that vmx generates with one that another program or a person has written.
///
///     let merge = NFOMerge(generated, keeping: there, before: nil)
///     let bytes = try merge.takingOver()
package struct NFOMerge {
  /// The maximum size of all elements that vmx does not write, in bytes.
  static let maxKept = 256 << 10

  private let ours: NFODocument
  private let theirs: NFODocument
  private let own: NFOGroups
  private let kept: NFOGroups
  private let before: NFOGroups?

  /// Creates a merge of documents with their elements.
  ///
  /// - Parameters:
  ///   - ours: the generated document.
  ///   - theirs: the document whose elements are kept.
  ///   - before: the document that vmx generated for the record that the file was written for; nil
  ///     if that is unknown.
  package init(_ ours: NFODocument, keeping theirs: NFODocument, before: NFODocument?) {
    (self.ours, self.theirs) = (ours, theirs)
    own = NFOGroups(ours)
    kept = NFOGroups(theirs)
    self.before = before.map(NFOGroups.init)
  }

  /// The names of the elements that vmx writes, in their order.
  private var written: [String] {
    switch ours.kind {
    case .show:
      ["title", "plot", "mpaa", "premiered", "status", "genre", "studio"]
        + ["vmx", "tvmaze", "imdb", "tvdb"].map { "uniqueid \($0)" }
    case .episode, .movie, .season:
      ["title", "showtitle", "season", "episode", "plot", "runtime", "mpaa", "aired", "studio"]
        + ["ratings"] + Self.marks + ["uniqueid vmx", "uniqueid tvmaze"]
    }
  }
  private static let marks = ["playcount", "watched", "lastplayed", "resume"]
  /// The elements that only the record tells.
  private static let recorded = ["title", "showtitle", "season", "episode", "uniqueid vmx"]

  /// Whether another document has elements that a generated one may lack.
  package static func hasForeignElements(_ document: NFODocument) -> Bool {
    let keys = NFOGroups(document).keys
    guard document.kind != .show else { return keys.contains { $0 != "title" } }
    let written = NFOMerge(document, keeping: document, before: nil).written
    return document.playCount.map { $0 > 1 } ?? false
      || keys.contains { !written.contains($0) || $0 == "ratings" || $0 == "studio" }
  }

  /// Returns the generated document with the elements of the other one that vmx does not write, and
  /// with those that it would write and does not know.
  ///
  /// - Throws: `resources-short` if memory is exhausted.
  package func takingOver() throws(Failure) -> [UInt8] {
    try bytes(written.flatMap(valueTakingOver), foreign: foreign(upTo: Self.maxKept))
  }

  /// Returns the other document, as a person or a player has edited it, with those elements of the
  /// generated one that changed in the record and not in the document.
  ///
  /// - Parameter keepsMarks: whether the playback state of the other document is the newer one.
  /// - Throws: `resources-short` if memory is exhausted.
  package func updatingEdited(keepsMarks: Bool) throws(Failure) -> [UInt8] {
    let before = before ?? own
    let elements = written.flatMap { key in
      if Self.marks.contains(key), keepsMarks { return kept[key] }
      let isEdited = !kept[key].isEmpty && kept[key] != before[key]
      let isMark = Self.marks.contains(key) || key == "uniqueid vmx"
      return isEdited && !isMark ? kept[key] : valueTakingOver(key)
    }
    return try bytes(elements, foreign: foreign(upTo: .max))
  }

  /// Whether the bytes are a document as a merge writes it.
  ///
  /// - Throws: `resources-short` if memory is exhausted.
  package static func isMerged(_ bytes: [UInt8], _ document: NFODocument) throws(Failure) -> Bool {
    try NFOMerge(document, keeping: document, before: nil).takingOver() == bytes
  }

  private func valueTakingOver(_ key: String) -> [NFOElement] {
    let (value, other) = (own[key], kept[key])
    switch key {
    case "playcount":
      let isCounted = !value.isEmpty && theirs.playCount.map { $0 > 1 } ?? false
      return isCounted ? other : value
    case "resume": return Self.resume(value, other)
    case _ where Self.marks.contains(key): return value
    case "ratings": return ratings(value, other)
    default: break
    }
    if value.isEmpty {
      let isRemoved = before.map { !$0[key].isEmpty } ?? false
      return isRemoved || Self.recorded.contains(key) ? [] : other
    }
    return value.allSatisfy(other.contains) ? other : value
  }

  /// Returns the position of the record with the playing time of the other document if the record
  /// has none: Kodi ignores a position without it.
  private static func resume(_ value: [NFOElement], _ other: [NFOElement]) -> [NFOElement] {
    guard var resume = value.first, !resume.children.contains(where: { $0.key == "total" }),
      let total = other.first?.children.first(where: { $0.key == "total" })
    else { return value }
    resume.children.append(total)
    return [resume]
  }

  /// Returns the ratings of several sites with the one of the record.
  private func ratings(_ value: [NFOElement], _ other: [NFOElement]) -> [NFOElement] {
    guard var ratings = value.first, let others = other.first else {
      return value.isEmpty ? other : value
    }
    if let rating = ours.rating, theirs.rating.flatMap(Rating.init) == Rating(rating) {
      return other
    }
    for var rating in others.children where rating.attributes["name"] != "default" {
      rating.attributes["default"] = nil
      ratings.children.append(rating)
    }
    return [ratings]
  }

  /// Returns the elements that vmx does not write, each whole, as long as there is room.
  private func foreign(upTo limit: Int) -> [NFOElement] {
    let written = written
    var room = limit
    var found: [NFOElement] = []
    for key in own.keys + kept.keys.filter({ own[$0].isEmpty }) where !written.contains(key) {
      for element in kept[key].isEmpty ? own[key] : kept[key] where element.size <= room {
        room -= element.size
        var element = element
        // The id of vmx is the default one.
        if element.name.lowercased() == "uniqueid" { element.attributes["default"] = nil }
        found.append(element)
      }
    }
    return found
  }

  private func bytes(
    _ elements: [NFOElement], foreign: [NFOElement]
  ) throws(Failure) -> [UInt8] {
    let writer = try MarkupWriter()
    try writer.start()
    try writer.begin(ours.kind.rawValue)
    for element in elements + foreign { try element.write(to: writer) }
    try writer.end()
    return try writer.finish()
  }
}

/// The elements of a document by their keys, without those that say nothing.
private struct NFOGroups {
  /// The keys in the order of their first elements.
  private(set) var keys: [String] = []
  private var groups: [String: [NFOElement]] = [:]

  init(_ document: NFODocument) {
    // Kodi writes the year of such a date too.
    let hasNoDate = document.elements.contains(where: \.isPlaceholderDate) && document.year == nil
    for element in document.elements where !element.isEmpty && !element.isPlaceholderDate {
      let key = element.key
      if key == "year", hasNoDate { continue }
      if groups[key] == nil { keys.append(key) }
      groups[key, default: []].append(element)
    }
  }

  subscript(key: String) -> [NFOElement] { groups[key] ?? [] }
}
