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
  /// The numbers of the paths that are not ASCII, by the hash of their canonical form; -1 if
  /// several files share it.
  private var spellings: [Int: Int] = [:]
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
  ///
  /// A name in another Unicode form is the same file: file systems of a Mac decompose names, and
  /// the manifest keeps the form in which it was written (RFC 8493, section 6.1.1).
  func number(of path: PathBytes) -> Int? {
    if let number = names.number(of: path.bytes) { return number }
    guard let hash = path.spellingHash, let number = spellings[hash], number >= 0,
      let text = path.text, self.path(of: number).text == text
    else { return nil }
    return number
  }

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
    if isNew {
      sizes.append(size)
      addSpelling(of: path, number)
    }
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
    spellings = [:]
    for old in paths {
      let new = path(old)
      addSpelling(of: new, renamed.insert(new.bytes).0)
    }
    names = renamed
  }

  private mutating func addSpelling(of path: PathBytes, _ number: Int) {
    guard let hash = path.spellingHash else { return }
    spellings[hash] = spellings[hash] == nil ? number : -1
  }
}

extension PathBytes {
  /// One hash for all Unicode forms of the path; nil if it is ASCII or no UTF-8.
  fileprivate var spellingHash: Int? {
    // Swift hashes and compares a string by its canonical form, not by its bytes.
    bytes.allSatisfy { $0 < 0x80 } ? nil : text?.hashValue
  }
}
