package import VmxDigest
package import VmxModel
package import VmxSystem

// A bag may be a stream in which the manifests follow the payload, and `bagit.txt` follows the
// manifests. So the check collects sizes, digests and the few files that it must parse, and applies
// the rules at the end.

/// Validates a bag (RFC 8493, and the versions from 0.93 on), whose files are added in any order.
///
///     var check = BagCheck()
///     check.add(path, text: text)                        // where `BagCheck.parses(path)`
///     check.add(path, size: size, digests: digests)      // all others
///     let verdict = check.verdict()
///
/// Paths are relative to the bag, such as `data/x`; folders are not added. In an archive whose bag
/// is not yet known, they are those of the entries (`BagFolder.path(of:)`). If the verdict has
/// files in `unverified`, the caller adds the digests listed there, and requests the verdict again.
package struct BagCheck {
  private(set) var files = BagFiles()
  private(set) var texts: [PathBytes: SpooledText] = [:]

  /// Creates a check without files.
  package init() {}

  /// Whether the check needs the content of a file, and not only its digests.
  package static func parses(_ path: PathBytes) -> Bool {
    let names = [BagDeclaration.name, BagInfo.name, BagInfo.oldName, BagFetchLine.name]
    return BagManifestName(path) != nil || names.contains { PathBytes($0) == path }
  }

  /// The algorithms of the payload manifests so far; empty before the first.
  package var algorithms: Set<ManifestAlgorithm> {
    Set(texts.keys.compactMap { BagManifestName($0) }.filter { !$0.isOfTags }.compactMap(\.known))
  }

  /// Adds a tag file that the check parses, piece by piece: it may be a manifest of tens of
  /// megabytes.
  package mutating func add(_ path: PathBytes, text: SpooledText) {
    texts[path] = text
    files.add(path, size: Int64(text.count))
  }

  /// Adds any other file, or more digests of a known file.
  ///
  /// - Returns: its number.
  @discardableResult
  package mutating func add(
    _ path: PathBytes, size: Int64, digests: [ManifestAlgorithm: [UInt8]]
  ) -> Int {
    files.add(path, size: size, digests: digests)
  }

  /// Returns the digests of the file with this number, as far as they were added.
  package func digests(ofFile number: Int) -> [ManifestAlgorithm: [UInt8]] {
    var digests: [ManifestAlgorithm: [UInt8]] = [:]
    for algorithm in ManifestAlgorithm.allCases {
      digests[algorithm] = files.digest(of: number, algorithm).map(Array.init)
    }
    return digests
  }

  /// Adds digests of the file with this number.
  package mutating func add(_ digests: [ManifestAlgorithm: [UInt8]], ofFile number: Int) {
    files.add(digests, of: number)
  }

  /// Makes the paths of all files relative to another folder, when the bag is found there.
  package mutating func move(from old: BagFolder, to new: BagFolder) {
    func moved(_ path: PathBytes) -> PathBytes { new.path(of: old.entry(at: path)) }
    files.rename(moved)
    texts = Dictionary(uniqueKeysWithValues: texts.map { (moved($0), $1) })
  }

  /// The paths of all files in the order of addition.
  package var paths: some RandomAccessCollection<PathBytes> { files.paths }

  /// Returns the SHA-256 of a file; nil if the file or its digest was not added.
  package func sha256(of path: PathBytes) -> Digest? {
    files.number(of: path).flatMap { files.digest(of: $0, .sha256) }
      .flatMap { Digest(.sha256, bytes: Array($0)) }
  }

  /// Returns the size of a file in bytes; nil if it was not added.
  package func size(of path: PathBytes) -> Int64? {
    files.number(of: path).map { files.size(of: $0) }
  }

  /// Returns the number of a file, from 0 in the order of addition; nil if it was not added.
  package func number(of path: PathBytes) -> Int? { files.number(of: path) }

  /// Returns the path of the file with this number.
  package func path(of number: Int) -> PathBytes { files.path(of: number) }

  /// Releases the texts of the tag files, after the last verdict.
  package mutating func releaseTexts() { texts = [:] }

  /// Applies the rules to the files added so far, and returns the verdict.
  package func verdict() -> BagVerdict {
    var judging = BagValidation(self)
    return judging.verdict()
  }
}
