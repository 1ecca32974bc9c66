import VmxEngine
import VmxLibrary
import VmxModel
import VmxStore
import VmxSystem

/// Episodes of a bundle in their order, whose files are published by several threads, so that they
/// share disk flushes.
///
/// Their files lie in the partial files of their parts since before they were recorded as complete,
/// so a crash leaves episodes that the next fetch or import publishes.
struct PublicationBatch {
  /// An episode matches one of the batch, of which the store does not know the files yet.
  struct Overlap: Error {}

  /// The work that remains for an episode.
  enum Step: Sendable {
    /// None.
    case ended(EpisodeResult)
    /// The publication of its files; the claim of a new episode is held since before its record.
    case recorded(EpisodeID, [ImportedFile], Claim?)
  }

  /// As many as two for each thread, since each may hold a claim.
  private static let largest = 32
  private static let threads = 16

  /// The episodes whose files are not published yet.
  private(set) var recorded: Set<EpisodeID> = []
  /// The episodes that records of the bundle were recognised as or became, of all batches.
  private(set) var taken: Set<EpisodeID> = []
  private var steps: [Step] = []
  private let root: MediaRoot
  private let operations: BundleImporter.Operations

  init(in root: MediaRoot, _ operations: BundleImporter.Operations) {
    self.root = root
    self.operations = operations
  }

  /// Whether it is to be published before more is added.
  var isFull: Bool { steps.count >= Self.largest }

  mutating func append(_ step: Step) {
    steps.append(step)
    switch step {
    case .recorded(let id, _, _):
      recorded.insert(id)
      taken.insert(id)
    case .ended(let result): if let id = result.episode?.id { taken.insert(id) }
    }
  }

  /// Publishes the files, and reports all episodes in their order.
  mutating func publish(_ report: (EpisodeResult) throws -> Void) throws {
    let results = WorkerThread.map(steps, threads: Self.threads, named: "vmx-publish") {
      [root, operations] in Self.result(of: $0, in: root, operations)
    }
    (steps, recorded) = ([], [])
    for result in results { try report(result) }
  }

  private static func result(
    of step: Step, in root: MediaRoot, _ operations: BundleImporter.Operations
  ) -> EpisodeResult {
    switch step {
    case .ended(let result): return result
    case .recorded(let id, let files, let claim):
      defer { claim?.release() }
      do {
        let (episode, unsaved) = try operations.publish(files, id, root, claim)
        return EpisodeResult(
          episode.id, .done, episode, notes: EpisodeResult.notes(unsaved, of: id))
      } catch {
        return EpisodeResult(id, OperationResult(Failure(error)))
      }
    }
  }
}
