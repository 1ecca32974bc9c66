package import VmxDigest
package import VmxModel

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
  /// The known size and digests of a file of the bag; small, since a bag may have many.
  struct File {
    let size: Int64
    /// How many payload manifests list the file, and which of all manifests did last.
    var listings: UInt8 = 0
    var lastManifest: UInt8?
    private var algorithms: UInt8 = 0
    private var bytes: [UInt8] = []

    init(size: Int64) {
      self.size = size
    }

    subscript(algorithm: ManifestAlgorithm) -> [UInt8]? {
      var offset = 0
      for other in ManifestAlgorithm.allCases where algorithms & other.bit != 0 {
        if other == algorithm { return Array(bytes[offset..<offset + other.length]) }
        offset += other.length
      }
      return nil
    }

    mutating func add(_ digests: [ManifestAlgorithm: [UInt8]]) {
      let known = self
      (algorithms, bytes) = (0, [])
      for algorithm in ManifestAlgorithm.allCases {
        guard let digest = digests[algorithm] ?? known[algorithm] else { continue }
        algorithms |= algorithm.bit
        bytes += digest
      }
    }
  }

  /// The algorithms to compute as long as no manifest was seen: those that RFC 8493 demands.
  package static let usual: Set<ManifestAlgorithm> = [.sha256, .sha512]

  private(set) var files: [PathBytes: File] = [:]
  private(set) var texts: [PathBytes: [UInt8]] = [:]

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
    texts[path] = bytes
    files[path] = File(size: Int64(bytes.count))
  }

  /// Adds any other file, or more digests of it.
  package mutating func add(
    _ path: PathBytes, size: Int64, digests: [ManifestAlgorithm: [UInt8]]
  ) {
    files[path, default: File(size: size)].add(digests)
  }

  /// Judges the bag by the files so far.
  package func verdict() -> BagVerdict {
    var judging = BagJudging(self)
    return judging.verdict()
  }
}

extension ManifestAlgorithm {
  fileprivate var bit: UInt8 {
    switch self {
    case .md5: 1
    case .sha1: 2
    case .sha224: 4
    case .sha256: 8
    case .sha384: 16
    case .sha512: 32
    }
  }
}
