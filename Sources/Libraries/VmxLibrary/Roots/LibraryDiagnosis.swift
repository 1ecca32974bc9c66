package import VmxModel
package import VmxStore

/// Examines a whole library: its store, the files beside it, and its roots.
package struct LibraryDiagnosis: Sendable {
  private let home: LibraryHome
  private let options: StoreOptions
  private let clock: any WallClock

  /// Creates a diagnosis of the library at a home, which need not exist.
  package init(_ home: LibraryHome, options: StoreOptions, clock: any WallClock) {
    self.home = home
    self.options = options
    self.clock = clock
  }

  /// Examines the library; creates and changes nothing, and takes no lock.
  package func examine() -> StoreDiagnosis.Result {
    let diagnosis = StoreDiagnosis(home, options: options, clock: clock) { snapshot in
      RootDiagnosis(of: snapshot).evidence
    }
    var result = diagnosis.examine()
    if let snapshot = result.snapshot {
      result.findings += RootDiagnosis(of: snapshot).findings(library: snapshot.header?.library)
    }
    return result
  }

  /// Repairs the findings that can be repaired, durably.
  ///
  /// - Returns: the failures of single steps; the other steps are done nevertheless.
  /// - Throws: `StoreError` if the store cannot be opened.
  package func mend(_ findings: [Finding]) throws(StoreError) -> [Failure] {
    let store = try LibraryStore.open(home, options: options, clock: clock)
    return StoreRepair(store) { RootDiagnosis(of: $0).evidence }.mend(findings)
  }
}
