import SystemPackage
import VmxJobs
import VmxModel
import VmxSystem

/// What a look at one root comes to.
struct RootStatus {
  /// Its UUID.
  let uuid: String
  /// The root; nil where it is away or not ours.
  private(set) var root: MediaRoot?
  /// What lies among the unfinished bytes.
  private(set) var partials: [(file: LooseFile, name: PartialName)] = []
  /// What tells that nothing of it was touched.
  private(set) var refusals: [CleaningStep] = []
  /// What is to be done below it.
  var steps: [CleaningStep] = []

  /// What of it could not be read.
  let failures = ReadFailures()

  /// Looks whether a root is there.
  ///
  /// - Throws: what the store throws.
  init(_ uuid: String, _ folder: String, on mediaRoots: MediaRoots) throws {
    self.uuid = uuid
    do {
      root = try mediaRoots.root(uuid)
    } catch let failure as Failure {
      refuse(failure)
    } catch let error as FileError {
      refuse(error)
    }
  }

  /// Lets nothing of the root be touched.
  mutating func refuse(_ problem: any Error) {
    let failure = Failure(problem)
    var step = CleaningStep(.reachRoot, why: failure.summary)
    step.root = uuid
    // A root that is away or foreign waits; a mark that cannot be read is a failure of this run.
    if !failure.isOfAbsence { step.failure = failure }
    refusals.append(step)
    root = nil
    steps = []
  }

  /// Lists the unfinished bytes.
  mutating func list(now: Timestamp) throws {
    guard let root else { return }
    partials =
      try failures.attempt(at: PathBytes(".vmx/partial")) {
        try RootFolder(root: root).files(in: .partial).compactMap { file in
          PartialName(file.path).map { (file, $0) }
        }
      } ?? []
  }

  /// Its steps, behind a failed one for each file or folder that could not be read.
  var allSteps: [CleaningStep] { (root.map { failures.steps($0) } ?? []) + steps }

  /// The claims of the episodes that the unfinished bytes belong to.
  var claims: [Int64] {
    partials.compactMap { partial in
      switch partial.name {
      case .part(let claim), .aside(let claim): claim
      case .arrival, .draft: nil
      }
    }
  }
}

extension Failure {
  /// Whether it says that a root is not there, or is not one of this library.
  var isOfAbsence: Bool { code == .rootAway || code == .rootForeign }
}
