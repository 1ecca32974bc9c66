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
    var left = glances.filter { glance in glance.parts.contains { JudgedFile($0) != nil } }[...]
    var others: [MediaGlance] = []
    var intact = 0
    while let uuid = left.first.flatMap(Self.root), !shouldStop() {
      do {
        let root = try look.shelf.root(uuid)
        let hold = try RootHold(root)
        while let glance = left.first, Self.root(of: glance) == uuid {
          if let count = files(of: glance, in: root, hold) {
            intact += count
          } else {
            others.append(glance)
          }
          left.removeFirst()
        }
      } catch {
        break
      }
    }
    return (others + left, intact)
  }

  /// How many files an episode has in a root; nil unless all of its files are as recorded, there.
  private func files(
    of glance: MediaGlance, in root: MediaRoot, _ hold: borrowing RootHold
  ) -> Int? {
    var count = 0
    for part in glance.parts {
      guard let judged = JudgedFile(part) else { continue }
      guard part.state == .ready, judged.root == root.uuid,
        case .file = look.sight(of: judged, below: hold)
      else { return nil }
      count += 1
    }
    return count
  }

  /// The root of the first file of an episode.
  private static func root(of glance: MediaGlance) -> String? {
    glance.parts.lazy.compactMap { JudgedFile($0)?.root }.first
  }
}
