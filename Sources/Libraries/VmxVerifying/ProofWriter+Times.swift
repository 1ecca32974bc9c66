import VmxLibrary
import VmxModel

extension ProofWriter {
  /// The maximal number of tracks that a message names.
  private static let named = 3
  private static let hint =
    "look whether it plays to its end; if it does, declare what is true with 'vmx add --duration'"

  /// Returns the result for a file that is intact or has no digest, with the durations of its
  /// tracks.
  func timed(_ item: VerificationItem, _ root: MediaRoot, _ times: TrackTimes) -> VerificationResult
  {
    let hint = times.differing.isEmpty ? nil : Self.hint
    var found =
      Self.words(for: times).map { broken(item, root, $0, hint: hint) }
      ?? intact(item, root, byDigest: item.judged.sha256 != nil)
    found.times = times
    return found
  }

  /// Returns the result for a file whose track durations ffprobe could not determine. A file whose
  /// digest was verified is intact nevertheless.
  func unprobed(_ item: VerificationItem, _ root: MediaRoot, _ words: String) -> VerificationResult
  {
    let failure = Failure(.programFailed, "ffprobe has no answer for \(item.subject): it \(words)")
    return VerificationResult(
      item, nil, root: root.folder, failure,
      verdict: item.judged.sha256 == nil ? nil : .intact, at: clock.now)
  }

  /// Describes the defect of the tracks of a video; nil if there is none.
  private static func words(for times: TrackTimes) -> String? {
    guard !times.tracks.isEmpty else { return "has neither pictures nor sound for ffprobe" }
    guard let declared = times.declared, !times.differing.isEmpty else { return nil }
    let tracks = times.differing.prefix(named).map { track in
      let article = track.kind == .audio ? "an" : "a"
      return
        "\(article) \(track.kind.rawValue) track of \(PlayingTime.text(of: track.duration ?? 0))"
    }
    let more = times.differing.count > named ? " and more" : ""
    let all = tracks.joined(separator: " and ") + more
    return "has \(all) instead of \(PlayingTime.text(of: declared)) (declared)"
  }
}
