package import VmxDigest
package import VmxModel
package import VmxSystem

// A bag may come as a stream, with its manifests behind the payload and `bagit.txt` behind those.
// So the check collects sizes, digests and the few files that it must parse, and judges at the end.

/// The check of a bag (RFC 8493, and the versions from 0.93 on), fed with its files in any order.
///
///     var check = BagCheck()
///     check.add(path, bytes: text)                       // where `BagCheck.parses(path)`
///     check.add(path, size: size, digests: digests)      // all others
///     let verdict = check.verdict()
///
/// Paths are those within the bag, such as `data/x`; folders are not given. If the verdict has files
/// in `unverified`, the caller adds the digests that it asks for, and takes the verdict again.
package struct BagCheck {
  /// The algorithms to compute as long as no manifest was seen: those that RFC 8493 demands.
  package static let usual: Set<ManifestAlgorithm> = [.sha256, .sha512]

  private(set) var files = BagFiles()
  private(set) var texts: [PathBytes: SpooledText] = [:]

  /// Creates a check without files.
  package init() {}

  /// Whether the check needs the bytes of a file, and not only its digests.
  package static func parses(_ path: PathBytes) -> Bool {
    let names = [BagDeclaration.name, BagInfo.name, BagInfo.oldName, BagFetchLine.name]
    return BagManifestName(path) != nil || names.contains { PathBytes($0) == path }
  }

  /// The algorithms of the payload manifests so far; empty before the first.
  package var algorithms: Set<ManifestAlgorithm> {
    Set(texts.keys.compactMap { BagManifestName($0) }.filter { !$0.isOfTags }.compactMap(\.known))
  }

  /// Adds a tag file that the check parses.
  package mutating func add(_ path: PathBytes, bytes: [UInt8]) {
    add(path, text: SpooledText(bytes))
  }

  /// Adds a tag file that the check parses, such as a manifest of tens of megabytes, which is read
  /// piece by piece.
  package mutating func add(_ path: PathBytes, text: SpooledText) {
    texts[path] = text
    files.add(path, size: Int64(text.count))
  }

  /// Adds any other file, or more digests of it.
  package mutating func add(
    _ path: PathBytes, size: Int64, digests: [ManifestAlgorithm: [UInt8]]
  ) {
    files.add(path, size: size, digests: digests)
  }

  /// Returns the SHA-256 of a file; nil if the file or its digest was not added.
  package func sha256(of path: PathBytes) -> Digest? {
    files.number(of: path).flatMap { files.digest(of: $0, .sha256) }
      .flatMap { Digest(.sha256, bytes: Array($0)) }
  }

  /// Returns the size of a file in bytes; nil if it was not added.
  package func size(of path: PathBytes) -> Int64? {
    files.number(of: path).map { files.size(of: $0) }
  }

  /// Returns the number of a file, from 0 in the order of their addition; nil if it was not added.
  package func number(of path: PathBytes) -> Int? { files.number(of: path) }

  /// Returns the path of the file with a number.
  package func path(of number: Int) -> PathBytes { files.path(of: number) }

  /// Releases the tag files, which no verdict needs any longer.
  package mutating func forgetTexts() { texts = [:] }

  /// Judges the bag by the files so far.
  package func verdict() -> BagVerdict {
    var judging = BagJudging(self)
    return judging.verdict()
  }
}
