import SystemPackage
import VmxJobs
import VmxModel
import VmxSystem

/// What a look at one root comes to.
struct RootSight {
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

  /// Looks whether a root is there.
  ///
  /// - Throws: what the store throws.
  init(_ uuid: String, _ folder: String, on shelf: RootShelf) throws {
    self.uuid = uuid
    do {
      root = try shelf.root(uuid)
    } catch let failure as Failure {
      refuse(failure.summary)
    } catch let error as FileError {
      refuse(error.summary)
    }
  }

  /// Lets nothing of the root be touched.
  mutating func refuse(_ why: String) {
    var step = CleaningStep(.reachRoot, why: why)
    step.root = uuid
    refusals.append(step)
    root = nil
    steps = []
  }

  /// Lists the unfinished bytes.
  mutating func list(now: Timestamp) throws {
    guard let root else { return }
    do throws(FileError) {
      partials = try RootFolder(root: root).files(in: .partial).compactMap { file in
        PartialName(file.path).map { (file, $0) }
      }
    } catch {
      refuse(error.summary)
    }
  }

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
