import VmxLibrary
import VmxModel
import VmxStore
import VmxSystem

extension FileVerifier {
  /// Verifies the durations of the tracks of a video whose bytes are intact or have no digest.
  ///
  /// - Returns: the result; nil if the run was cancelled.
  func timed(
    _ item: VerificationItem, in root: MediaRoot, _ file: borrowing OpenFile, by prober: TrackProber
  ) throws(FileError) -> VerificationResult? {
    let found: VerificationResult
    do throws(Failure) {
      guard let report = try prober.report(on: file) else { return nil }
      switch report {
      case .none(let words): return proof.unprobed(item, root, words)
      case .unreadable(let words):
        found = proof.broken(item, root, "cannot be read by ffprobe, '\(words)'")
      case .tracks(let tracks):
        let times = TrackTimes(tracks, declared: try declaredDuration(of: item))
        found = proof.timed(item, root, times)
      }
    } catch {
      return proof.failed(item, root, error)
    }
    guard found.answer == .damaged else { return found }
    return look.damage(found, in: root, of: try file.facts())
  }

  /// Returns the duration that the publisher declares for the variant of the part, in milliseconds.
  private func declaredDuration(of item: VerificationItem) throws(Failure) -> Int64? {
    do {
      let episode = try look.store.snapshot().episode(item.id)
      return episode?.parts.first { $0.name == item.part.name }?.variant?.duration
    } catch {
      throw Failure(error)
    }
  }
}
