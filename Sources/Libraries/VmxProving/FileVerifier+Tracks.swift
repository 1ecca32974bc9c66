import VmxJobs
import VmxModel
import VmxStore
import VmxSystem

extension FileVerifier {
  /// What to say of a video whose bytes are right, or have no digest, by how long its tracks play;
  /// nil if it was told to stop.
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

  /// What the publisher says of the file that stands for the part, in milliseconds.
  private func declaredDuration(of item: VerificationItem) throws(Failure) -> Int64? {
    do {
      let episode = try look.store.snapshot().episode(item.id)
      return episode?.parts.first { $0.name == item.part.name }?.variant?.duration
    } catch {
      throw Failure(error)
    }
  }
}
