import VmxModel
import VmxStore

// A store may hold records that nearly fill a line: of an earlier version, or edited by hand. The
// row for undo holds the whole record beside its own fields, and would be longer than any line.

extension Episode {
  /// Characters that are left of a long text.
  private static let kept = 1000

  /// The record with as many of its texts as leave room for its removal; itself where all do.
  ///
  /// It gives up, one after the other: the summary and fields of other versions, the length of the
  /// titles and messages, the sources, the identity with parts that have no file.
  func withRoomForRemoval() -> Episode {
    var episode = self
    for shorten in [Self.dropDetails, Self.cutTexts, Self.dropSources, Self.dropRest] {
      if StoreTransaction.hasRoomForRemoval(of: episode) { break }
      shorten(&episode)
    }
    return episode
  }

  private static func dropDetails(of episode: inout Episode) {
    episode.summary = nil
    episode.extra = JSONObject()
    for index in episode.parts.indices { episode.parts[index].extra = JSONObject() }
  }

  private static func cutTexts(of episode: inout Episode) {
    episode.title = String(episode.title.unicodeScalars.prefix(kept))
    episode.showTitle = String(episode.showTitle.unicodeScalars.prefix(kept))
    episode.trail = []
    for index in episode.parts.indices { episode.parts[index].message = nil }
  }

  private static func dropSources(of episode: inout Episode) {
    for index in episode.parts.indices {
      episode.parts[index].variants = []
      episode.parts[index].chosen = nil
    }
  }

  private static func dropRest(of episode: inout Episode) {
    episode.identity = []
    episode.after = []
    episode.parts.removeAll { $0.role != .video && $0.path == nil }
  }
}
