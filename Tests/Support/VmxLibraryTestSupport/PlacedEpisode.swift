import SystemPackage
import VmxLibrary
package import VmxModel
import VmxRemoving
import VmxStore
import VmxTestSupport

extension ScratchLibrary {
  /// The path of the video of `placed`, relative to the scratch folder.
  package static let film = "media/Show/Season 01/Show - S01E01 - A.mp4"

  /// Creates a ready episode with a file in the root and the other files that a fetch creates
  /// there.
  package func placed(_ text: String = "film", key: Bool = false) throws -> Episode {
    let root = try mediaRoots.forNewFiles()
    try scratch.write(Self.film, text)
    var episode = try Episode.sample(.ready)
    episode.parts[0].root = root.uuid
    episode.parts[0].path = String(Self.film.dropFirst("media/".count))
    episode.parts[0].size = ByteCount(clamping: Int64(text.utf8.count))
    if key {
      try scratch.write("media/Show/Season 01/Show - S01E01 - A.key", "secret")
      var part = Part(
        role: .key, variants: [Variant(sources: [Source(url: "http://127.0.0.1/a.key")])])
      part.state = .ready
      part.root = root.uuid
      part.path = "Show/Season 01/Show - S01E01 - A.key"
      episode.parts.append(part)
    }
    try scratch.write("media/.vmx/records/show~a.json", "{}\n")
    let stored = episode
    episode.rev = try store.update(.durable) { $0.write(stored) }
    return episode
  }

  /// The episode as another process reads it.
  package func stored(_ id: EpisodeID) throws -> Episode? { try again().snapshot().episode(id) }

  /// Removes one episode.
  @discardableResult
  package func remove(
    _ id: EpisodeID, _ reason: EpisodeRemoval.Reason = .byHand, permanent: Bool = false,
    forgets: Bool = false
  ) throws -> EpisodeResult {
    let options = RemovalOptions(reason, "as told", isPermanent: permanent, removesRecord: forgets)
    guard let result = try removal.remove([id], options).first else {
      throw Failure(.internalError, "nothing became of it")
    }
    if result.episode == nil, let failure = result.result.failure { throw failure }
    return result
  }

  /// Undoes the last operation.
  @discardableResult
  package func undo() throws -> Episode? {
    let undo = UndoService(EpisodeRemover(tools(of: "rm", try again())))
    guard let entry = try undo.runs().first?.entries.first else {
      throw Failure(.internalError, "there is no step")
    }
    return try undo.undo(entry)
  }

  /// The names of the files in the only entry of the trash.
  package var trashed: [String] {
    scratch.names(in: "media/.vmx/trash").first.map {
      scratch.names(in: "media/.vmx/trash/\($0)")
    } ?? []
  }
}
