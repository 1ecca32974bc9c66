import VmxLibrary
import VmxModel
import VmxStore
import VmxTransfer

/// Counts the bytes of all files of the library, according to its records.
struct LibraryCount: Sendable {
  let store: LibraryStore
  let mediaRoots: MediaRoots

  /// The bytes of whole and partial files. Whole files on an absent root count as recorded in the
  /// store; partial ones there do not.
  func bytes() throws -> Int64 {
    var sum: Int64 = 0
    try store.snapshot().episodes(matching: EpisodeQuery()) { episode in
      for index in episode.parts.indices { sum = sum.addingClamped(try bytes(of: episode, index)) }
      return true
    }
    return sum
  }

  private func bytes(of episode: Episode, _ index: Int) throws -> Int64 {
    let part = episode.parts[index]
    switch part.resumeState ?? part.state {
    case .complete, .checked, .ready, .damaged: return part.size?.bytes ?? 0
    case .queued, .probed, .partial: return try held(of: part, episode)
    default: return 0
    }
  }

  private func held(of part: Part, _ episode: Episode) throws -> Int64 {
    do {
      let root = try part.root.map { try mediaRoots.root($0) } ?? mediaRoots.forNewFiles()
      let files = PartFiles(root: root.folder, episode: episode.id, part: part)
      return try ResumeData.heldBytes(
        partial: files.partial, resume: files.resume, episode: episode.id, part: part.name,
        urls: part.urls)
    } catch let failure as Failure where failure.code == .rootAway {
      return 0
    }
  }
}
