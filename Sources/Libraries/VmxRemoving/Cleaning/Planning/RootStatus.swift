import SystemPackage
import VmxLibrary
import VmxModel
import VmxSystem

/// The result of the scan of one root.
struct RootStatus {
  /// The UUID of the root.
  let uuid: String
  /// The root; nil if it is unreachable or belongs to another library.
  private(set) var root: MediaRoot?
  /// The files in `.vmx/partial`.
  private(set) var partials: [(file: LooseFile, name: LibraryLayout.Partial)] = []
  /// The steps that report why the root must not be changed.
  private(set) var refusals: [CleaningStep] = []
  /// The steps planned for this root.
  var steps: [CleaningStep] = []

  /// The files and folders that could not be read.
  let failures = ReadFailures()

  /// Determines whether a root is reachable.
  ///
  /// - Throws: the errors of the store.
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

  /// Excludes the root from all steps, and reports the reason.
  mutating func refuse(_ problem: any Error) {
    let failure = Failure(problem)
    var step = CleaningStep(.reachRoot, why: failure.summary)
    step.root = uuid
    // An unreachable or foreign root is not an error of this run; a marker that cannot be read is
    // one.
    if !failure.isOfAbsence { step.failure = failure }
    refusals.append(step)
    root = nil
    steps = []
  }

  /// Lists the files in `.vmx/partial`.
  mutating func list(now: Timestamp) throws {
    guard let root else { return }
    partials =
      try failures.attempt(at: PathBytes(LibraryLayout.Folder.partial.path)) {
        try RootFolder(root: root).files(in: .partial).compactMap { file in
          LibraryLayout.partial(named: file.path.lastName).map { (file, $0) }
        }
      } ?? []
  }

  /// The steps of the root, after one failed step for each file or folder that could not be read.
  var allSteps: [CleaningStep] { (root.map { failures.steps($0) } ?? []) + steps }

  /// The claims of the episodes to which the partial downloads belong.
  var claims: [Int64] {
    partials.compactMap { partial in
      switch partial.name {
      case .part(let claim), .aside(let claim): claim
      case .importing, .draft: nil
      }
    }
  }
}

extension Failure {
  /// Whether the failure says that a root is unreachable or belongs to another library.
  var isOfAbsence: Bool { code == .rootAway || code == .rootForeign }
}
