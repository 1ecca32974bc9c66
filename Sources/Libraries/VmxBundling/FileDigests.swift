import VmxModel

/// The digests of files by their paths, as a manifest lists them. They are packed, since a manifest
/// may have a million lines.
struct FileDigests {
  private static let length = DigestAlgorithm.sha256.length

  private var paths = TextTable()
  private var digests: [UInt8] = []

  /// The number of files.
  var count: Int { paths.count }

  /// The files, sorted by the bytes of their paths.
  var sorted: some Collection<(path: String, digest: Digest)> {
    paths.order.lazy.map { (path: path(Int($0)), digest: digest(Int($0))) }
  }

  /// Returns the number of a file, from 0; nil if it is not listed.
  func number(of path: String) -> Int? { paths.number(of: path.utf8) }

  /// Returns the path of a file.
  func path(_ number: Int) -> String { paths[number] }

  /// Returns the digest of a file.
  func digest(_ number: Int) -> Digest {
    let bytes = digests[number * Self.length..<(number + 1) * Self.length]
    guard let digest = Digest(.sha256, bytes: Array(bytes)) else {
      fatalError("each file has a digest of SHA-256")
    }
    return digest
  }

  /// The digest of a file; nil if it is not listed.
  subscript(path: String) -> Digest? { number(of: path).map { digest($0) } }

  /// Sets the digest of a file, which must be a SHA-256 digest.
  mutating func set(_ path: String, _ digest: Digest) {
    let (number, isNew) = paths.insert(path.utf8)
    if isNew {
      digests += digest.bytes
    } else {
      let start = number * Self.length
      digests.replaceSubrange(start..<start + Self.length, with: digest.bytes)
    }
  }
}
