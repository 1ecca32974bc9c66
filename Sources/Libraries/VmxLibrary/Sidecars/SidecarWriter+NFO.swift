package import SystemPackage
package import VmxMarkup
package import VmxModel
import VmxNaming
import VmxStore
import VmxSystem

/// The documents of another program from which an episode was taken over. Their elements that vmx
/// does not write stay in the NFO files that it writes.
package struct NFOTakenOver: Sendable {
  /// The document of the episode, with its elements; nil for none.
  package var episode: NFODocument?
  /// The document of its show, with its elements; nil for none.
  package var show: NFODocument?

  /// Creates an empty instance.
  package init() {}
}

extension SidecarWriter {
  /// Adds the elements of other programs' NFO files to those that vmx has written for an episode
  /// and its show. Skips an episode that a worker has claimed.
  ///
  /// - Parameters:
  ///   - file: the NFO file of the episode; nil for none.
  ///   - show: the NFO file of the show; nil for none.
  /// - Returns: the failure to write; nil also if the root is unmounted or read-only.
  /// - Throws: errors of the store, and of reading the files.
  package func takeOver(_ file: FilePath?, show: FilePath?, for id: EpisodeID) throws -> Failure? {
    let store = mediaRoots.store
    guard nfo.isWanted, let claim = try store.claims.claim(id) else { return nil }
    defer { claim.release() }
    guard let episode = try store.snapshot().episode(id) else { return nil }
    var documents = NFOTakenOver()
    documents.episode = try file.flatMap { try Self.contents(of: $0)?.document(of: episode) }
    documents.show = try show.flatMap { try Self.contents(of: $0) }?
      .documents.first { $0.kind == .show }
    if documents.episode.map(NFOMerge.hasForeignElements) == false { documents.episode = nil }
    if documents.show.map(NFOMerge.hasForeignElements) == false { documents.show = nil }
    // A file says nothing of a show that has another title.
    if let title = documents.show?.title, let known = try store.snapshot().show(id.show),
      known.title != nil, !known.isTitle(title)
    {
      documents.show = nil
    }
    guard documents.episode != nil || documents.show != nil else { return nil }
    return write(episode, keeping: documents)
  }

  /// Returns the document of the NFO file that vmx wrote for an episode in another root, for its
  /// elements that vmx does not write.
  ///
  /// - Throws: `FileError`, `resources-short`.
  package func documents(of episode: Episode, below root: MediaRoot) throws -> NFOTakenOver {
    var documents = NFOTakenOver()
    guard let written = try Sidecar(of: episode.id, below: root.folder).nfo,
      let bytes = try NFOFile(root: root.folder).unchanged(written),
      let document = try NFOSources.document(bytes), NFOMerge.hasForeignElements(document)
    else { return documents }
    documents.episode = document
    return documents
  }

  private static func contents(of file: FilePath) throws -> NFOContents? {
    guard let bytes = try RegularFile.prefixIfPresent(of: file, upTo: NFOContents.maxBytes),
      bytes.count < NFOContents.maxBytes
    else { return nil }
    return try NFOContents(bytes, keepsElements: true)
  }

  /// Generates the document of an episode.
  ///
  /// - Parameter known: the sidecar, for the record that the present file was written for.
  /// - Returns: the document, and the other ones from which the file is made.
  func document(
    of episode: Episode, _ known: Sidecar, keeping taken: NFODocument?
  ) throws -> (bytes: [UInt8], sources: NFOSources) {
    let snapshot = try mediaRoots.store.snapshot()
    let show = try snapshot.show(episode.id.show)
    var played: NFOPlayed?
    if nfo.includesWatched {
      let position = snapshot.playbackPosition(of: episode.id)
      played = NFOPlayed(of: episode, position, in: SystemZone())
    }
    let sources = NFOSources(
      taken: taken,
      before: { try known.episode(episode.id).map { try EpisodeNFO.bytes(of: $0, show: show) } },
      isOfEpisode: { try $0 == episode.id || snapshot.resolve($0) == episode.id },
      lastPlayed: snapshot.lastPlayed(episode), includesWatched: nfo.includesWatched)
    return (try EpisodeNFO.bytes(of: episode, show: show, played: played), sources)
  }

  /// Writes a temporary file for the NFO file of the show, unless it is up to date, a file of the
  /// user has its name, or the video is not in the folder of its show.
  ///
  /// - Parameter taken: the document from which the show was taken over; nil for none.
  func showDraft(
    of episode: Episode, above video: String, below root: FilePath, keeping taken: NFODocument?
  ) throws -> TemporaryFile? {
    guard
      let path = LibraryLayout.showDescription(
        above: video, of: episode.id, title: episode.showTitle)
    else { return nil }
    let file = root.appending(path)
    let slug = episode.id.show
    let show = try mediaRoots.store.snapshot().show(slug) ?? LibraryShow(slug: slug, title: nil)
    var bytes = try EpisodeNFO.show(show, titled: episode.showTitle)
    let there = try RegularFile.prefixIfPresent(of: file, upTo: NFOContents.maxBytes)
    if there == bytes, taken == nil { return nil }
    if let there, try !EpisodeNFO.isUnchangedShow(there, of: slug) {
      guard let document = try NFOSources.document(there), document.ids["vmx"] == slug,
        try NFOMerge.isMerged(there, document), let ours = try NFOSources.document(bytes)
      else { return nil }
      bytes = try NFOMerge(ours, keeping: document, before: nil).takingOver()
    }
    if let taken, let ours = try NFOSources.document(bytes) {
      bytes = try NFOMerge(ours, keeping: taken, before: nil).takingOver()
    }
    guard bytes != there else { return nil }
    return try TemporaryFile(of: file, bytes, mode: .published, replaces: there != nil)
  }
}
