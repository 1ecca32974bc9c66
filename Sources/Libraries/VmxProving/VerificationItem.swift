package import VmxJobs
package import VmxModel
package import VmxStore

/// One file that is to be proven, as its record had it when it was chosen.
///
/// A class, because many of them are handed from thread to thread.
package final class VerificationItem: Sendable {
  /// The episode.
  package let id: EpisodeID
  /// `seq` of the record.
  package let rev: Int64
  /// What the record says of the part.
  package let part: MediaPart
  /// The file that the record names.
  package let judged: JudgedFile
  /// The row it came in, whose unknown fields pass on.
  package let received: JSONObject?

  private init(
    id: EpisodeID, rev: Int64, part: MediaPart, judged: JudgedFile, received: JSONObject?
  ) {
    self.id = id
    self.rev = rev
    self.part = part
    self.judged = judged
    self.received = received
  }

  /// The files of an episode that are here, or should be.
  ///
  /// - Parameter name: only the part of this name.
  package static func all(
    of summary: MediaSummary, named name: String? = nil, received: JSONObject? = nil
  ) -> [VerificationItem] {
    summary.parts.compactMap { part in
      guard name == nil || part.name == name, let judged = JudgedFile(part) else { return nil }
      return VerificationItem(
        id: summary.id, rev: summary.rev, part: part, judged: judged, received: received)
    }
  }

  /// How messages name it.
  var subject: String { "'\(part.name)' of '\(id)'" }

  /// The finding that goes with it.
  func finding(_ verdict: MediaFinding.Verdict, at moment: Timestamp) -> MediaFinding {
    MediaFinding(of: part.name, in: id, judged, verdict, at: moment)
  }
}
