package import VmxModel

/// The contents of an NFO file from any program: the documents of Kodi and Jellyfin, or none.
///
/// It may contain several documents in sequence, and other text before or after them, such as links
/// to catalogues. Unknown fields are ignored.
///
///     let contents = try NFOContents(bytes)
///     for episode in contents.documents where episode.kind == .episode { … }
package struct NFOContents: Sendable, Equatable {
  /// The maximum size in bytes, 1 MiB.
  package static let maxBytes = 1 << 20
  private static let maxDocuments = 256

  /// The documents, in the order of the file.
  package private(set) var documents: [NFODocument] = []
  /// Whether each document is well-formed XML. Otherwise fields may be missing.
  package private(set) var isWellFormed = true

  /// Parses a file; one beyond `maxBytes` has no documents.
  ///
  /// - Parameter keepsElements: whether the documents have their elements.
  /// - Throws: `resources-short` if memory is exhausted.
  package init(_ bytes: [UInt8], keepsElements: Bool = false) throws(Failure) {
    guard bytes.count <= Self.maxBytes else { return }
    let text = MarkupText.prepared(bytes)
    var position = 0
    while documents.count < Self.maxDocuments, let start = Self.markup(in: text[position...]) {
      position = start
      var builder = NFODocumentBuilder()
      var tree = NFOElementBuilder()
      let form = try MarkupParser.parse(text, from: &position) { event in
        builder.handle(event)
        if keepsElements { tree.handle(event) }
      }
      guard form != .empty else { break }
      isWellFormed = isWellFormed && form == .wellFormed
      guard var document = builder.document else { continue }
      document.elements = tree.elements
      documents.append(document)
    }
  }

  /// Returns the document that describes an episode: the only one of an episode or a film, else the
  /// one with its season and number; nil if there is none.
  package func document(of episode: Episode) -> NFODocument? {
    let documents = documents.filter { $0.kind == .episode || $0.kind == .movie }
    guard documents.count > 1 else { return documents.first }
    return documents.first { $0.season == episode.season && $0.number == episode.number }
  }

  /// Returns the position of the next `<` that may begin a document.
  private static func markup(in text: ArraySlice<UInt8>) -> Int? {
    text.indices.dropLast().first { position in
      let next = text[position + 1]
      return text[position] == UInt8(ascii: "<")
        && (next.isASCIIAlphanumeric || next == UInt8(ascii: "?") || next == UInt8(ascii: "!"))
    }
  }
}
