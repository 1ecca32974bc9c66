import SystemPackage
package import VmxModel
package import VmxStore
import VmxSystem

// A file is stored before its record. So no record refers to missing bytes. A crash leaves partial
// files of an id without a record, which the same import replaces and `vmx clean` removes. Or it
// leaves an episode with complete parts, which the next `vmx fetch` publishes without a source.

extension EpisodeImporter {
  /// The whole files of an episode, as partial files of parts that are not recorded as complete
  /// yet.
  package struct Received: Sendable {
    /// The id of the episode; the caller holds its claim.
    let id: EpisodeID
    /// Whether the library has no such episode yet.
    let isNew: Bool
    /// The UUID of the root.
    let root: String
    /// The bytes, by the name of the part.
    let found: [String: FoundBytes]

    /// Creates the files of an episode.
    package init(
      _ id: EpisodeID, isNew: Bool = true, root: String, _ found: [String: FoundBytes]
    ) {
      self.id = id
      self.isNew = isNew
      self.root = root
      self.found = found
    }

    /// Whether these are files of this episode, and it has no other files for these parts.
    func matches(_ episode: Episode, isNew: Bool) -> Bool {
      id == episode.id && isNew == self.isNew
        && !episode.parts.contains { found[$0.name] != nil && $0.hasFile }
    }
  }

  /// The error that another process has meanwhile recorded the episode, another one with its id, or
  /// one of its files.
  package struct Superseded: Error {}

  /// Renames staged files to the partial files of an episode, then records it. If that fails,
  /// renames them back.
  ///
  /// - Parameters:
  ///   - claim: the claim of the episode.
  ///   - isNew: whether the library has no such episode yet.
  ///   - record: records the episode with the files.
  /// - Returns: the result of `record`, and the files under their new names.
  /// - Throws: errors of the file system and of `record`.
  package static func receive<Recorded>(
    _ staged: [ImportedFile], under claim: Claim, isNew: Bool, in root: MediaRoot,
    record: (Received) throws -> Recorded
  ) throws -> (recorded: Recorded, held: [ImportedFile]) {
    var held: [ImportedFile] = []
    do {
      for part in staged {
        let files = PartFiles(root: root.folder, episode: claim.id, name: part.part)
        try files.adopt(whole: part.path)
        held.append(ImportedFile(files.partial, part: part.part, found: part.found))
      }
      let found = Dictionary(
        staged.map { ($0.part, $0.found) }, uniquingKeysWith: { first, _ in first })
      let received = Received(claim.id, isNew: isNew, root: root.uuid, found)
      return (try record(received), held)
    } catch {
      // The copies get their names back and are removed with the others unless they are used.
      for (copy, part) in zip(staged, held) { restore(part.path, as: copy.path) }
      throw error
    }
  }
  private static func restore(_ held: FilePath, as staged: FilePath) {
    do throws(FileError) {
      try renameReplacing(from: held, to: staged)
    } catch {
      // The first error explains the failure. A file that keeps this name has no record, so the
      // same import replaces it, or `vmx clean` removes it.
    }
  }
}

extension Part {
  /// Whether the library has a file of this part, intact or damaged.
  package var hasFile: Bool { (state == .ready || state == .damaged) && path != nil }
}

extension Episode {
  /// Records received files as complete, for parts that have no file yet.
  mutating func receive(_ received: EpisodeImporter.Received, now: Timestamp) {
    for index in parts.indices {
      let part = parts[index]
      guard let found = received.found[part.name], part.path == nil, !part.isBeingRemoved,
        part.state != .complete || part.sha256 != found.sha256 || part.root != received.root
      else { continue }
      step(of: index, to: .complete, now: now)
      parts[index].repairs = nil
      parts[index].recordBytes(found, root: received.root)
    }
  }
}
