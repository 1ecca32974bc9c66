import VmxEngine
import VmxLibrary
import VmxModel
import VmxStore
import VmxSystem

/// A batch of episodes of a bundle. Several threads publish their files, so that they share disk
/// flushes; results are reported in order.
///
/// The files of a new episode are renamed to the partial files of its parts before it is recorded
/// as complete. So after a crash the next fetch or import publishes them.
struct PublicationBatch {
  /// An episode matches one of the batch whose files are not yet published.
  struct Overlap: Error {}

  /// The work that remains for an episode.
  enum Step: Sendable {
    /// No work; the result is known.
    case ended(EpisodeResult)
    /// The publication of its files. The claim of a new episode was acquired before its record was
    /// written.
    case recorded(EpisodeID, [ImportedFile], Claim?)
  }

  /// The maximum number of episodes, two for each thread. Each may hold a claim.
  private static let maxCount = 32
  private static let threads = 16

  /// The episodes whose files are not yet published.
  private(set) var recorded: Set<EpisodeID> = []
  /// The episodes that records of the bundle have matched or created, in all batches.
  private(set) var matched: Set<EpisodeID> = []
  private var steps: [Step] = []
  private let root: MediaRoot
  private let operations: BundleImporter.Operations

  init(in root: MediaRoot, _ operations: BundleImporter.Operations) {
    self.root = root
    self.operations = operations
  }

  /// Whether the batch must be published before an episode is added.
  var isFull: Bool { steps.count >= Self.maxCount }

  mutating func append(_ step: Step) {
    steps.append(step)
    switch step {
    case .recorded(let id, _, _):
      recorded.insert(id)
      matched.insert(id)
    case .ended(let result): if let id = result.episode?.id { matched.insert(id) }
    }
  }

  /// Publishes the files, reports all episodes in their order, and empties the batch.
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
          episode.id, .done, episode: episode, notes: EpisodeResult.notes(unsaved, of: id))
      } catch {
        return EpisodeResult(id, OperationResult(Failure(error).ofFile))
      }
    }
  }
}
