import VmxKit

/// Prints the episodes of the library, and then each change until an episode `end/…` comes.
@main
struct KitExample {
  static func main() async throws {
    let library = try Library()
    let snapshot = try await library.snapshot()
    for episode in snapshot.episodes {
      print(episode.id, episode.state.rawValue, await file(of: episode, in: library))
    }
    for try await change in library.changes(after: snapshot) {
      switch change {
      case .updated(let episode) where episode.show == "end": return
      case .updated(let episode): print(episode.id, "is now", episode.state.rawValue)
      case .removed(let id): print(id, "removed")
      }
    }
  }

  /// The path of the video, or the reason why there is none.
  private static func file(of episode: Episode, in library: Library) async -> String {
    do {
      return try await library.path(of: episode.id)
    } catch {
      return error.description
    }
  }
}
