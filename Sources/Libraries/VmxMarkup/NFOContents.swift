package import VmxModel

/// The contents of an NFO file from any program: documents of Kodi and Jellyfin, links, or neither.
///
/// It may contain several documents in sequence, and lines with links to catalogues before or after
/// them. Unknown fields are ignored.
///
///     let contents = try NFOContents(bytes)
///     for episode in contents.documents where episode.kind == .episode { … }
package struct NFOContents: Sendable, Equatable {
  /// The reason why a file contains neither documents nor links.
  package enum Refusal: Sendable, Equatable {
    /// The file contains only white space.
    case empty
    /// The file exceeds `NFOContents.largest`.
    case tooLarge
    /// The file is text without a link, as release groups write it, or not text at all.
    case noMarkup
    /// The file is a document with another root element, such as `html`.
    case otherRoot(String)
  }

  /// The maximum size in bytes, 1 MiB.
  package static let largest = 1 << 20
  private static let maxDocuments = 256

  /// The documents, in the order of the file.
  package private(set) var documents: [NFODocument] = []
  /// The URLs outside of the documents.
  package private(set) var links: [String] = []
  /// The reason why there are neither documents nor links; nil if there are any.
  package private(set) var refusal: Refusal?
  /// Whether each document is well-formed XML. Otherwise fields may be missing.
  package private(set) var isWellFormed = true

  /// The ids in `links`, by catalogue: `imdb`, `tvdb`, `tmdb`, `tvmaze`.
  package var linkedIDs: [String: String] {
    Dictionary(links.compactMap(CatalogueLink.id)) { first, _ in first }
  }

  /// Parses a file.
  ///
  /// - Throws: `resources-short` if memory is exhausted.
  package init(_ bytes: [UInt8]) throws(Failure) {
    guard bytes.count <= Self.largest else {
      refusal = .tooLarge
      return
    }
    let text = MarkupText.prepared(bytes)
    var root: String?
    var place = 0
    while documents.count < Self.maxDocuments, let start = Self.markup(in: text[place...]) {
      links += Self.links(in: text[place..<start])
      place = start
      var builder = NFODocumentBuilder()
      let form = try MarkupParser.parse(text, from: &place) { builder.take($0) }
      guard form != .empty else {
        place = start
        break
      }
      isWellFormed = isWellFormed && form == .wellFormed
      root = root ?? builder.root
      if let document = builder.document { documents.append(document) }
    }
    links += Self.links(in: text[place...])
    guard documents.isEmpty, links.isEmpty else { return }
    refusal = root.map { .otherRoot($0) } ?? (Self.isBlank(text) ? .empty : .noMarkup)
  }

  /// Returns the position of the next `<` that may begin a document.
  private static func markup(in text: ArraySlice<UInt8>) -> Int? {
    text.indices.dropLast().first { place in
      let next = text[place + 1]
      return text[place] == UInt8(ascii: "<")
        && (next.isASCIIAlphanumeric || next == UInt8(ascii: "?") || next == UInt8(ascii: "!"))
    }
  }

  private static func isBlank(_ text: [UInt8]) -> Bool {
    text.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
  }

  private static func links(in text: ArraySlice<UInt8>) -> [String] {
    let words = String(decoding: text, as: UTF8.self).replacing("&amp;", with: "&")
      .split { $0.isWhitespace || "<>\"".contains($0) }
    return words.compactMap { word in
      let start = word.firstRange(of: "https://") ?? word.firstRange(of: "http://")
      return start.map { String(word[$0.lowerBound...]) }
    }
  }
}

/// The links to catalogues that programs read from NFO files.
private enum CatalogueLink {
  /// Returns the catalogue and the id in a link; nil for any other link.
  static func id(_ link: String) -> (String, String)? {
    let pieces = link.split { "/?&=#".contains($0) }.map(String.init)
    let host = pieces.dropFirst().first ?? ""
    func number(after words: Set<String>) -> String? {
      let index = pieces.indices.dropLast().first { place in
        words.contains(pieces[place].lowercased()) && digits(pieces[place + 1]) != nil
      }
      return index.flatMap { digits(pieces[$0 + 1]) }
    }
    switch host.split(separator: ".").suffix(2).joined(separator: ".").lowercased() {
    case "imdb.com":
      let id = pieces.first { $0.hasPrefix("tt") && digits($0.dropFirst(2))?.count == $0.count - 2 }
      return id.map { ("imdb", $0) }
    case "thetvdb.com": return number(after: ["id", "series"]).map { ("tvdb", $0) }
    case "themoviedb.org": return number(after: ["tv", "movie"]).map { ("tmdb", $0) }
    case "tvmaze.com": return number(after: ["shows", "episodes"]).map { ("tvmaze", $0) }
    default: return nil
    }
  }

  /// Returns the leading digits of a text: `1399` for `1399-game-of-thrones`.
  private static func digits(_ text: some StringProtocol) -> String? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    return digits.isEmpty ? nil : String(digits)
  }
}
