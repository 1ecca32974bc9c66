import SystemPackage
package import VmxModel
import VmxStore
import VmxSystem

// A request for a removed episode is a line in the home, and nothing else until the film is there.
// If the home is restored from a backup before that, the request would be lost. It is therefore
// also in a sidecar beside the media, from which `vmx clean` takes it over. The sidecar is replaced
// by that of the film, or removed with the request.

extension Sidecar {
  /// Writes the request for an episode without files, which a removal preceded, to a sidecar in a
  /// root outside of the home; removes that sidecar if the request was withdrawn. Failures are
  /// ignored: the store has the request.
  package static func refreshRequest(of episode: Episode, on mediaRoots: MediaRoots) {
    guard episode.by.time(of: .want) != nil, episode.parts.allSatisfy({ $0.path == nil }) else {
      return
    }
    do {
      let home = mediaRoots.store.home.folder
      for root in try mediaRoots.presentRoots() where !root.folder.starts(with: home) {
        try Sidecar(of: episode.id, below: root.folder).replaceRequest(by: episode, on: mediaRoots)
        if episode.isPendingRequest { return }
      }
    } catch {
      // The store has the request.
    }
  }

  private func replaceRequest(by episode: Episode, on mediaRoots: MediaRoots) throws {
    let known = self.episode(episode.id)
    guard known?.parts.allSatisfy({ $0.path == nil }) ?? !mayHoldRecord,
      restoringMarks(of: episode, now: mediaRoots.store.now) == nil
    else { return }
    guard episode.isPendingRequest else { return try RegularFile.remove(path) }
    let draft = try TemporaryFile(
      of: path, bytes(of: episode, found: [:], nfo: nil), makesFolder: true)
    draft.flush()
    draft.rename()
  }
}
