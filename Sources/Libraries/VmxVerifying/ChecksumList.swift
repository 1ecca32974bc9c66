import VmxLibrary
package import VmxModel
package import VmxStore

/// The digests of a library in the input format of `sha256sum -c`. Accesses no media file.
package final class ChecksumList {
  private let snapshot: StoreSnapshot
  private var folders: [String: String] = [:]

  /// Reads the digests from a snapshot of the store.
  package init(of snapshot: StoreSnapshot) {
    self.snapshot = snapshot
  }

  /// Returns one line for each file of an episode that has a digest and a path.
  package func lines(of summary: EpisodeSummary) -> [String] {
    VerificationItem.all(of: summary).compactMap { item in
      guard let digest = item.recordedFile.sha256, let folder = folder(of: item.recordedFile.root)
      else {
        return nil
      }
      return Self.line(digest, "\(folder)/\(item.recordedFile.path)")
    }
  }

  private func folder(of root: String) -> String? {
    if let folder = folders[root] { return folder }
    let folder = snapshot.rootFolder(root)
    folders[root] = folder
    return folder
  }

  /// Returns the line for a file, including the newline.
  ///
  /// A path that contains a backslash or a line break is escaped. The line then begins with a
  /// backslash, as GNU coreutils writes it.
  static func line(_ digest: Digest, _ path: String) -> String {
    let escapes: [Unicode.Scalar: String] = ["\\": "\\\\", "\n": "\\n", "\r": "\\r"]
    let scalars = path.unicodeScalars
    guard scalars.contains(where: { escapes[$0] != nil }) else { return "\(digest.hex)  \(path)\n" }
    let escaped = scalars.map { escapes[$0] ?? String($0) }.joined()
    return "\\\(digest.hex)  \(escaped)\n"
  }
}
