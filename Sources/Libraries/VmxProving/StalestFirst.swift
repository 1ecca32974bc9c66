import VmxModel
package import VmxStore

/// The files of a library in the order in which they want to be proven: what was never proven, then
/// what was proven longest ago, last what is known to be missing or damaged.
///
/// So a run with a budget gets round the library, however much of it is hurt. Of each file it keeps
/// sixteen bytes, and of each episode its id.
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

  /// No files.
  package init() {}

  /// Takes the files of an episode.
  package mutating func add(_ summary: MediaSummary) {
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

  /// Calls the body with each file, as the snapshot that they came from has it, until it gives
  /// false.
  package func forEach(in snapshot: StoreSnapshot, _ body: (VerificationItem) -> Bool) {
    for entry in entries.sorted(by: { $0.precedes($1) }) {
      guard let id = EpisodeID(valid: ids[Int(entry.episode)]),
        let summary = snapshot.mediaGlance(of: id), summary.parts.indices.contains(Int(entry.part))
      else { continue }
      let name = summary.parts[Int(entry.part)].name
      for item in VerificationItem.all(of: summary, named: name) where !body(item) { return }
    }
  }
}
