import VmxLibrary
package import VmxModel
package import VmxStore

/// The digests of a library in the input format of `sha256sum -c`. Accesses no media file.
package final class ChecksumSheet {
  private let snapshot: StoreSnapshot
  private var folders: [String: String] = [:]

  /// Reads the digests from a snapshot of the store.
  package init(of snapshot: StoreSnapshot) {
    self.snapshot = snapshot
  }

  /// Returns one line for each file of an episode that has a digest and a path.
  package func lines(of summary: EpisodeSummary) -> [String] {
    VerificationItem.all(of: summary).compactMap { item in
      guard let digest = item.judged.sha256, let folder = folder(of: item.judged.root) else {
        return nil
      }
      return ChecksumLine.text(of: digest, "\(folder)/\(item.judged.path)")
    }
  }

  private func folder(of root: String) -> String? {
    if let folder = folders[root] { return folder }
    let folder = snapshot.record(.root, root)?.fields["path"]?.string
    folders[root] = folder
    return folder
  }
}
