package import VmxModel
import VmxStore

// A file on a root that cannot be seen is no file at hand. Only the user knows whether its disk
// will come back: `vmx clean --lost` says that it will not. Until then the record keeps the place,
// unless a tool has the same bytes at hand, or can fetch them on the user's request, and a present
// root to write them to. The part is then recorded as missing, and gets the new file. If the disk
// comes back, its file is a second copy, which `vmx clean` reports and never deletes by itself.

extension MediaRoots {
  /// Whether the folder of a root can be reached now.
  ///
  /// - Throws: errors of the file system and the store.
  package func isReachable(_ uuid: String) throws -> Bool {
    do {
      _ = try root(uuid)
      return true
    } catch let failure as Failure where failure.isOfUnreachableRoot {
      return false
    }
  }

  /// Whether the file of a part is on a root that cannot be reached now.
  ///
  /// - Throws: errors of the file system and the store.
  package func isOutOfReach(_ part: Part) throws -> Bool {
    guard part.path != nil, part.state == .ready || part.isToBeRepaired, let uuid = part.root
    else { return false }
    return try !isReachable(uuid)
  }

  /// Records the files of an episode that are out of reach as missing, so that the caller's bytes
  /// become the files of these parts. Durable with the record of the new file.
  ///
  /// - Parameters:
  ///   - digests: the digests of the caller's files, by the names of the parts; a file with other
  ///     bytes keeps its record.
  /// - Returns: the episode as recorded.
  /// - Throws: errors of the file system and the store.
  package func releaseUnreachable(
    _ digests: [String: Digest], of episode: Episode, now: Timestamp
  ) throws -> Episode {
    func isReplaced(_ part: Part) throws -> Bool {
      guard let digest = digests[part.name], part.sha256 == nil || part.sha256 == digest else {
        return false
      }
      return try isOutOfReach(part)
    }
    let names = try Set(episode.parts.filter(isReplaced).map(\.name))
    guard !names.isEmpty else { return episode }
    return try store.update(.soon) { transaction in
      guard var fresh = try transaction.episode(episode.id) else {
        throw Failure.noSuchEpisode(episode.id)
      }
      for index in fresh.parts.indices where names.contains(fresh.parts[index].name) {
        guard fresh.parts[index].root == episode.parts.first(named: fresh.parts[index].name)?.root
        else { continue }
        fresh.loseFile(ofPart: index, now: now)
      }
      return transaction.recorded(fresh)
    }
  }
}

extension [Part] {
  fileprivate func first(named name: String) -> Part? { first { $0.name == name } }
}
