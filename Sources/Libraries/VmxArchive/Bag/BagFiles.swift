import VmxDigest
import VmxModel

/// The sizes and digests of the files of a bag, which are numbered from 0.
///
/// Paths, sizes and digests are stored in contiguous arrays, since a bag may have a million files.
struct BagFiles {
  /// The digests of all files by one algorithm.
  private struct Column {
    var isKnown: [Bool] = []
    var bytes: [UInt8] = []

    mutating func set(_ digest: [UInt8], _ number: Int) {
      if number >= isKnown.count {
        let more = number + 1 - isKnown.count
        isKnown.append(contentsOf: repeatElement(false, count: more))
        bytes.append(contentsOf: repeatElement(0, count: more * digest.count))
      }
      isKnown[number] = true
      bytes.replaceSubrange(number * digest.count..<(number + 1) * digest.count, with: digest)
    }
  }

  private var names = TextTable()
  private var sizes: [Int64] = []
  private var columns: [ManifestAlgorithm: Column] = [:]

  /// The number of files.
  var count: Int { sizes.count }

  /// The paths in the order of their numbers, each unpacked on access.
  var paths: some RandomAccessCollection<PathBytes> {
    (0..<count).lazy.map { [names] in PathBytes(Array(names.bytes($0))) }
  }

  /// The numbers of the payload files.
  var payload: some Collection<Int> {
    (0..<count).lazy.filter { [names] in PathBytes.isPayload(names.bytes($0)) }
  }

  /// Returns the path of a file.
  func path(of number: Int) -> PathBytes { PathBytes(Array(names.bytes(number))) }

  /// Returns the number of a file; nil if it was not added.
  func number(of path: PathBytes) -> Int? { names.number(of: path.bytes) }

  /// Returns the size of a file in bytes.
  func size(of number: Int) -> Int64 { sizes[number] }

  /// Returns the digest of a file; nil if it was not added.
  func digest(of number: Int, _ algorithm: ManifestAlgorithm) -> ArraySlice<UInt8>? {
    guard let column = columns[algorithm], number < column.isKnown.count, column.isKnown[number]
    else { return nil }
    return column.bytes[number * algorithm.length..<(number + 1) * algorithm.length]
  }

  /// Adds a file, or more digests of a known file, whose size does not change.
  ///
  /// - Returns: its number.
  @discardableResult
  mutating func add(
    _ path: PathBytes, size: Int64, digests: [ManifestAlgorithm: [UInt8]] = [:]
  ) -> Int {
    let (number, isNew) = names.insert(path.bytes)
    if isNew { sizes.append(size) }
    add(digests, of: number)
    return number
  }

  /// Adds digests of a file.
  mutating func add(_ digests: [ManifestAlgorithm: [UInt8]], of number: Int) {
    for (algorithm, digest) in digests where digest.count == algorithm.length {
      columns[algorithm, default: Column()].set(digest, number)
    }
  }

  /// Replaces the paths of all files, whose numbers do not change. The new paths must be distinct.
  mutating func rename(_ path: (PathBytes) -> PathBytes) {
    var renamed = TextTable()
    for old in paths { renamed.insert(path(old).bytes) }
    names = renamed
  }
}
