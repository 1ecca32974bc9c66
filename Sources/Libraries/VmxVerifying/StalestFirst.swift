package import VmxModel
package import VmxStore

/// The files of a library in the order in which they are verified: files that were never verified,
/// then the others by ascending time of their last verification. Files recorded as missing or
/// damaged come last.
///
/// So runs with a budget reach every file of the library, however many files are damaged. The
/// memory use is 16 bytes a file and the id of each episode.
package struct StalestFirst {
  private struct Entry {
    let moment: Int64
    let episode: UInt32
    let part: UInt16
    let isHurt: Bool

    func precedes(_ other: Entry) -> Bool {
      if isHurt != other.isHurt { return !isHurt }
      return (moment, episode, part) < (other.moment, other.episode, other.part)
    }
  }

  private var ids = PackedTexts()
  private var entries: [Entry] = []

  /// Creates an empty list.
  package init() {}

  /// Adds the files of an episode.
  package mutating func add(_ summary: EpisodeSummary) {
    let files = VerificationItem.all(of: summary)
    guard !files.isEmpty else { return }
    let episode = UInt32(ids.count)
    ids.append(summary.id.description)
    for (place, part) in summary.parts.enumerated() {
      guard files.contains(where: { $0.part.name == part.name }) else { continue }
      entries.append(
        Entry(
          moment: part.proven?.milliseconds ?? .min, episode: episode,
          part: UInt16(clamping: place), isHurt: part.state != .ready))
    }
  }

  /// Calls the closure with each file, read from the snapshot that the files were added from, until
  /// it returns false.
  package func forEach(in snapshot: StoreSnapshot, _ body: (VerificationItem) -> Bool) {
    for entry in entries.sorted(by: { $0.precedes($1) }) {
      guard let id = EpisodeID(valid: ids[Int(entry.episode)]),
        let summary = snapshot.summary(of: id), summary.parts.indices.contains(Int(entry.part))
      else { continue }
      let name = summary.parts[Int(entry.part)].name
      for item in VerificationItem.all(of: summary, named: name) where !body(item) { return }
    }
  }
}
