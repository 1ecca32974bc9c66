import VmxJobs
import VmxModel
import VmxStore

// Of a hundred thousand files nearly all are as recorded. They are looked at by the threads that
// read the records, and forgotten there: no other thread need hear of them.

/// Passes over the episodes whose files are all there with their size.
struct QuickSieve: Sendable {
  let look: FileLook
  let shouldStop: @Sendable () -> Bool

  /// What is to be looked at more closely, and how many files are not.
  ///
  /// The mark of a root is read once for all files that follow each other in it. What cannot be
  /// looked at is left for others to find out why.
  func sift(_ glances: [MediaGlance]) -> (left: [MediaGlance], intact: Int) {
    var others: [MediaGlance] = []
    var intact = 0
    var place = 0
    while place < glances.count, !shouldStop() {
      guard let uuid = Self.root(of: glances[place]) else {
        place += 1
        continue
      }
      do {
        let root = try look.shelf.root(uuid)
        let hold = try RootHold(root)
        search: while place < glances.count {
          switch sight(of: glances[place], in: root, hold) {
          case .asRecorded(let count): intact += count
          case .otherwise: others.append(glances[place])
          case .elsewhere: break search
          }
          place += 1
        }
      } catch {
        break
      }
    }
    return (others + glances[place...], intact)
  }

  /// What stands where the files of an episode should be.
  private enum Sight {
    /// So many files, as recorded.
    case asRecorded(Int)
    case otherwise
    /// Its first file is of another root.
    case elsewhere
  }

  private func sight(
    of glance: MediaGlance, in root: MediaRoot, _ hold: borrowing RootHold
  ) -> Sight {
    var count = 0
    for part in glance.parts {
      guard let judged = JudgedFile(part) else { continue }
      if judged.root != root.uuid { return count == 0 ? .elsewhere : .otherwise }
      guard part.state == .ready, case .file = look.sight(of: judged, below: hold) else {
        return .otherwise
      }
      count += 1
    }
    return .asRecorded(count)
  }

  /// The root of the first file of an episode.
  private static func root(of glance: MediaGlance) -> String? {
    glance.parts.lazy.compactMap { JudgedFile($0)?.root }.first
  }
}
