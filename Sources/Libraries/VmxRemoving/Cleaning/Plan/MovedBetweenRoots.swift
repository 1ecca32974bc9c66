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
    var found: Set<CleaningStep.Key> = []
    for index in scans.indices {
      guard let root = scans[index].root else { continue }
      for number in scans[index].steps.indices {
        let step = scans[index].steps[number]
        guard let file = step.action.unknownFile, let size = step.bytes, sizes.contains(size),
          file.path.text != nil
        else { continue }
        let candidates = missing.filter {
          $0.bytes == size && $0.root != root.uuid && $0.sha256 != nil && !found.contains($0.key)
        }
        guard !candidates.isEmpty,
          let digest = try scans[index].failures.attempt(
            at: file.path,
            { try FileDigest.sha256(of: root.file(at: file.path), shouldStop: shouldStop) }),
          let match = candidates.first(where: { $0.sha256 == digest }),
          case .recordMissing(let part) = match.action
        else { continue }
        found.insert(match.key)
        scans[index].steps[number] = CleaningStep(
          .recordMoved(part, to: file), explanation: "its file is in another root",
          bytes: match.bytes)
      }
    }
    for index in scans.indices {
      scans[index].steps.removeAll { $0.kind == .recordMissing && found.contains($0.key) }
    }
  }
}

extension CleaningStep {
  /// Creates the step for a part that is recorded as missing.
  fileprivate init?(lost part: Part, of summary: EpisodeSummary) {
    guard let recorded = RecordedFile(part) else { return nil }
    let recordedPart = RecordedPart(recorded, of: EpisodeRevision(summary), named: part.name)
    self.init(
      .recordMissing(recordedPart), explanation: "its file is missing", bytes: recorded.size)
  }
}

extension CleaningAction {
  /// The file without a record that the action is about.
  fileprivate var unknownFile: PlannedFile? {
    switch self {
    case .unknownFile(let file), .discardFile(let file): file
    default: nil
    }
  }
}
