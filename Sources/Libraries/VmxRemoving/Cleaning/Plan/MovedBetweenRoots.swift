import VmxDigest
import VmxLibrary
import VmxModel
import VmxStore
import VmxSystem

// A user moves the folder of a show from one disk to another. Its files are missing in the first
// root and unknown in the second. They are compared by size and then by digest, so that only files
// that may be the same are read.

extension CleaningPlanner {
  /// Replaces the steps for files that are missing in one root and unknown in another one by steps
  /// that record where they are now.
  ///
  /// - Throws: `WorkEnded.interrupted`.
  func matchAcrossRoots(_ scans: inout [RootScan], _ survey: StoreSurvey) throws {
    var missing = scans.flatMap(\.steps).filter { $0.kind == .recordMissing }
    for summary in survey.incomplete {
      missing += summary.parts.filter(\.isMissing).compactMap {
        CleaningStep(lost: $0, of: summary)
      }
    }
    let sizes = Set(missing.compactMap(\.bytes))
    guard !sizes.isEmpty else { return }
    var found: [CleaningStep.Key: CleaningStep] = [:]
    for index in scans.indices {
      guard let root = scans[index].root else { continue }
      for place in scans[index].steps.indices {
        let step = scans[index].steps[place]
        guard [.unknownFile, .discardFile].contains(step.kind), let size = step.bytes,
          sizes.contains(size), let path = step.path, path.text != nil
        else { continue }
        let candidates = missing.filter {
          $0.bytes == size && $0.root != root.uuid && $0.sha256 != nil && found[$0.key] == nil
        }
        guard !candidates.isEmpty,
          let digest = try scans[index].failures.attempt(
            at: path,
            { try FileDigest.sha256(of: root.file(at: path), shouldStop: shouldStop) }),
          let match = candidates.first(where: { $0.sha256 == digest })
        else { continue }
        var moved = match
        moved.kind = .recordMoved
        moved.explanation = "its file is in another root"
        (moved.name, moved.root) = (match.root, root.uuid)
        (moved.found, moved.file) = (path, step.file)
        found[match.key] = moved
        scans[index].steps[place] = moved
      }
    }
    for index in scans.indices {
      scans[index].steps.removeAll { $0.kind == .recordMissing && found[$0.key] != nil }
    }
  }
}

extension CleaningStep {
  /// Creates the step for a part that is recorded as missing.
  fileprivate init?(lost part: Part, of summary: EpisodeSummary) {
    guard let recorded = RecordedFile(part) else { return nil }
    self.init(.recordMissing, explanation: "its file is missing")
    episode = summary.id
    rev = summary.rev
    self.part = part.name
    root = recorded.root
    path = PathBytes(recorded.path)
    bytes = recorded.size
    sha256 = recorded.sha256
  }
}
