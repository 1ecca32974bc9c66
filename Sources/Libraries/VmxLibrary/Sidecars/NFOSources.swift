import VmxMarkup
import VmxModel

/// The documents of an episode, besides the generated one, from which its NFO file is made.
struct NFOSources {
  /// The document of another program from which the episode was taken over; nil for none.
  let taken: NFODocument?
  /// Returns the document that vmx generated for the record in the sidecar; nil if that is unknown.
  let before: () throws -> [UInt8]?
  /// Whether an id that a file names is that of the episode, or was before it was renamed.
  let isOfEpisode: (EpisodeID) throws -> Bool
  /// The time of the last mark in vmx; nil for an episode that was never marked.
  let lastPlayed: Timestamp?
  /// Whether the file gets the marks.
  let includesWatched: Bool

  /// Returns the generated document with the elements of a file that vmx wrote, and with those of
  /// the document that was taken over.
  func merged(_ bytes: [UInt8], keeping there: [UInt8]?) throws -> [UInt8] {
    var merged = bytes
    if let there, let document = try Self.document(there),
      NFOMerge.hasForeignElements(document), let ours = try Self.document(bytes)
    {
      merged = try NFOMerge(ours, keeping: document, before: try beforeDocument()).takingOver()
    }
    if let taken, let ours = try Self.document(merged) {
      merged = try NFOMerge(ours, keeping: taken, before: nil).takingOver()
    }
    return merged
  }

  /// Returns a file that was edited with what has changed in the record; nil if it is of another
  /// episode, or has what a new version of it would lose.
  func updated(_ there: [UInt8], by bytes: [UInt8]) throws -> [UInt8]? {
    guard there.count < NFOContents.maxBytes, let id = EpisodeNFO.episode(of: there),
      try isOfEpisode(id), Self.isOnlyElements(there), let document = try Self.document(there),
      let ours = try Self.document(bytes)
    else { return nil }
    let played = document.played(in: SystemZone())
    let isNewer = played.lastPlayed.map { last in
      lastPlayed.map { last.isSecondLater(than: $0) } ?? true
    }
    return try NFOMerge(ours, keeping: document, before: try beforeDocument()).updatingEdited(
      keepsMarks: !includesWatched || isNewer ?? (lastPlayed == nil))
  }

  private func beforeDocument() throws -> NFODocument? {
    try before().flatMap { try Self.document($0) }
  }

  /// Returns the only document of a well-formed file; nil for another one.
  static func document(_ bytes: [UInt8]) throws -> NFODocument? {
    let contents = try NFOContents(bytes, keepsElements: true)
    guard contents.isWellFormed, contents.documents.count == 1 else { return nil }
    return contents.documents[0]
  }

  /// Whether a file has neither comments nor text behind its document, which are not kept.
  private static func isOnlyElements(_ bytes: [UInt8]) -> Bool {
    let text = String(decoding: bytes, as: UTF8.self)
    return !text.contains("<!--") && text.trimmed.hasSuffix("</episodedetails>")
  }
}
