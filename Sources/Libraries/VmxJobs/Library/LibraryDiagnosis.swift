package import VmxModel
package import VmxStore

/// Examines a whole library: its store, the files beside it, and its roots.
package struct LibraryDiagnosis: Sendable {
  private let home: LibraryHome
  private let options: StoreOptions
  private let clock: any WallClock

  /// A checkup of the library at a home, which need not be there.
  package init(_ home: LibraryHome, options: StoreOptions, clock: any WallClock) {
    self.home = home
    self.options = options
    self.clock = clock
  }

  /// Examines all there is; nothing is made or changed, and no lock is taken.
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

  /// Mends what can be mended of some findings, durably.
  ///
  /// - Returns: why a step failed; the others are done nevertheless.
  /// - Throws: `StoreError` if the store cannot be opened at all.
  package func mend(_ findings: [Finding]) throws(StoreError) -> [Failure] {
    let store = try LibraryStore.open(home, options: options, clock: clock)
    return StoreRepair(store) { RootDiagnosis(of: $0).evidence }.mend(findings)
  }
}
