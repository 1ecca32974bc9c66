import SystemPackage
import VmxDigest
import VmxLibrary
import VmxModel
import VmxSystem

/// The result of the scan of one root.
struct RootScan {
  /// The UUID of the root.
  let uuid: String
  /// The root; nil if it is unreachable or belongs to another library.
  private(set) var root: MediaRoot?
  /// The files in `.vmx/partial`.
  private(set) var partials: [(file: UnrecordedFile, name: LibraryLayout.Partial)] = []
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
    var step = CleaningStep(.reachRoot(uuid), explanation: failure.summary)
    // An unreachable or foreign root is not an error of this run; an unreadable marker is.
    if !failure.isOfUnreachableRoot { step.failure = failure }
    refusals.append(step)
    root = nil
    steps = []
  }

  /// Lists the files in `.vmx/partial`.
  mutating func list(now: Timestamp) throws {
    guard let root else { return }
    partials =
      try failures.attempt(at: PathBytes(LibraryLayout.Folder.partial.path)) {
        try root.files(in: .partial).compactMap { file in
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
      case .part(let claim), .rejected(let claim): claim
      case .importing, .draft: nil
      }
    }
  }
}

/// The files and folders below one root that could not be read during a scan.
///
/// The scan continues after each of them. A class, so that several closures of one scan can append
/// to the same list.
final class ReadFailures {
  /// The paths below the root, empty for the root itself, with their errors.
  private(set) var entries: [(path: PathBytes, failure: Failure)] = []

  /// Adds an error, unless a folder above the path has one already.
  func add(_ error: any Error, at path: PathBytes) {
    guard !covers(path) else { return }
    entries.append((path, Failure(error)))
  }

  /// Whether the path, or a folder above it, could not be read.
  func covers(_ path: PathBytes) -> Bool {
    entries.contains { entry in
      let (above, rest) = (entry.path.bytes, path.bytes.dropFirst(entry.path.bytes.count))
      return above == path.bytes
        || !above.isEmpty && path.bytes.starts(with: above) && rest.first == UInt8(ascii: "/")
    }
  }

  /// Returns the value of the closure. If a file or folder could not be read, adds the error and
  /// returns nil.
  ///
  /// - Throws: any other error of the closure.
  func attempt<Value>(at path: PathBytes, _ body: () throws -> Value?) throws -> Value? {
    do {
      return try body()
    } catch let error as FileError {
      add(error, at: path)
    } catch let error as DigestError {
      add(error, at: path)
    }
    return nil
  }

  /// Returns a failed step for each entry.
  func steps(_ root: MediaRoot) -> [CleaningStep] {
    entries.map { CleaningStep(unreadable: $0.path, $0.failure, in: root) }
  }
}

extension CleaningStep {
  /// Creates a step for a file or folder that could not be read.
  init(unreadable path: PathBytes, _ failure: Failure, in root: MediaRoot) {
    self.init(
      .unreadable(root: root.uuid, path.bytes.isEmpty ? nil : path),
      explanation: "unreadable; not checked")
    self.failure = failure
  }
}
