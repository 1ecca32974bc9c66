package import VmxLibrary
package import VmxModel

/// One file to verify, as its record described it when the file was selected.
///
/// A class, because many instances are passed between threads.
package final class VerificationItem: Sendable {
  /// The id of the episode.
  package let id: EpisodeID
  /// The `seq` of the record.
  package let rev: Int64
  /// The part as the record describes it.
  package let part: Part
  /// The file that the record names.
  package let judged: JudgedFile
  /// The input row that named the file; its unknown fields are copied to the output row.
  package let received: JSONObject?

  private init(
    id: EpisodeID, rev: Int64, part: Part, judged: JudgedFile, received: JSONObject?
  ) {
    self.id = id
    self.rev = rev
    self.part = part
    self.judged = judged
    self.received = received
  }

  /// Returns the files of an episode that exist or should exist.
  ///
  /// - Parameter name: restricts the result to the part of this name.
  package static func all(
    of summary: EpisodeSummary, named name: String? = nil, received: JSONObject? = nil
  ) -> [VerificationItem] {
    summary.parts.compactMap { part in
      guard name == nil || part.name == name, let judged = JudgedFile(part) else { return nil }
      return VerificationItem(
        id: summary.id, rev: summary.rev, part: part, judged: judged, received: received)
    }
  }

  /// The name of the file in messages.
  var subject: String { "'\(part.name)' of '\(id)'" }

  /// Returns the finding for the record.
  func finding(_ verdict: MediaFinding.Verdict, at moment: Timestamp) -> MediaFinding {
    MediaFinding(of: part.name, in: id, judged, verdict, at: moment)
  }
}
