import SystemPackage
import VmxModel
package import VmxStore
import VmxSystem

extension MediaRoots {
  /// Writes what the user has declared about roots to the marks of the other present roots outside
  /// of the home; a mark that has it is not written. Failures are ignored: the store has the
  /// declarations, and each `vmx clean` calls this again.
  package func writeDeclarations() {
    do {
      let declared = try store.snapshot().lossDeclarations
      guard !declared.isEmpty else { return }
      for root in try presentRoots() where !root.folder.starts(with: store.home.folder) {
        let mark = try root.mark()
        let fresh = mark.declaring(declared)
        guard fresh.declarations != mark.declarations else { continue }
        try AtomicFile.replace(
          root.folder.appending(LibraryLayout.mark), with: fresh.bytes, durable: true)
      }
    } catch {
      // The store has the declarations.
    }
  }

  /// Records the configured roots that have the mark of this library and no record, as after a home
  /// was restored from before they were created.
  ///
  /// - Throws: errors of the file system and the store.
  package func recordConfiguredRoots() throws {
    for folder in try store.unrecordedRoots() {
      _ = try MediaRoots(store: store, newFilesBelow: folder).forNewFiles()
    }
  }

  /// Returns the declarations in the marks of all present roots, recorded or configured, that are
  /// later than those of the store, by the UUIDs of the roots that they are about.
  ///
  /// - Throws: errors of the file system and the store.
  package func newerDeclarations() throws -> [String: LossDeclaration] {
    let snapshot = try store.snapshot()
    var found: [String: LossDeclaration] = [:]
    var marks = try presentRoots().map { try $0.mark() }
    marks += try store.unrecordedRoots().compactMap { folder in
      try RootMark(at: folder.appending(LibraryLayout.mark))
    }
    for mark in marks {
      found.merge(snapshot.newerDeclarations(in: mark, now: store.now)) {
        $0.at < $1.at ? $1 : $0
      }
    }
    return found
  }
}
