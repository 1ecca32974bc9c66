import VmxModel

/// The episodes and files of a plan in packed form: about 60 bytes for each file in addition to its
/// path.
struct PlanRows: Sendable {
  /// The flags in the kind of a row; the other bits are the index of its part.
  private enum Kind {
    static let document = UInt32.max
    static let video: UInt32 = 1 << 31
    static let remote: UInt32 = 1 << 30
    static let picture: UInt32 = 1 << 29
  }

  private var ids = PackedTexts()
  private var recordSizes: [UInt32] = []
  private var sourcesSizes: [UInt32] = []
  /// The index after the last row of each episode.
  private var ends: [UInt32] = []
  private var paths = PackedTexts()
  private var sizes: [Int64] = []
  private var digests: [UInt8] = []
  private var kinds: [UInt32] = []
  /// The number of the episode of each row.
  private var owners: [UInt32] = []
  /// The size of the payload in bytes.
  private(set) var payloadSize: Int64 = 0

  /// The number of episodes.
  var count: Int { ends.count }

  /// Appends an episode. The caller appends episodes in the order of their ids.
  mutating func append(_ entry: BundlePlan.Entry) {
    for file in entry.files + entry.remotes {
      paths.append(file.path)
      sizes.append(file.size.bytes)
      digests += file.sha256.bytes
      owners.append(UInt32(ends.count))
      switch file.content {
      case .document: kinds.append(Kind.document)
      case .part(let index): kinds.append(UInt32(index) | (file.isVideo ? Kind.video : 0))
      case .picture(let index): kinds.append(UInt32(index) | Kind.picture)
      case .remote(let index): kinds.append(UInt32(index) | Kind.remote)
      }
    }
    payloadSize = entry.files.reduce(payloadSize) { $0.addingClamped($1.size.bytes) }
    ids.append(entry.id.description)
    recordSizes.append(UInt32(clamping: entry.recordSize))
    sourcesSizes.append(UInt32(clamping: entry.sourcesSize))
    ends.append(UInt32(sizes.count))
  }

  /// Returns the episode at this index, from 0.
  func entry(_ number: Int) -> BundlePlan.Entry {
    let indices = (number == 0 ? 0 : ends[number - 1])..<ends[number]
    return BundlePlan.Entry(
      id: EpisodeID(valid: ids[number]) ?? .unknown,
      files: indices.filter { !isRemote($0) }.map { file($0) },
      remotes: indices.filter { isRemote($0) }.map { file($0) },
      recordSize: Int64(recordSizes[number]), sourcesSize: Int64(sourcesSizes[number]))
  }

  /// Returns the index of an episode by binary search; nil if there is none.
  func index(of id: EpisodeID) -> Int? {
    var range = 0..<count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      let found = ids[middle]
      if found == id.description { return middle }
      range = found < id.description ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return nil
  }

  /// Whether a row is a remote file.
  func isRemote(_ index: UInt32) -> Bool {
    kinds[Int(index)] != Kind.document && kinds[Int(index)] & Kind.remote != 0
  }

  /// Returns the file in a row, with the id of its episode.
  func plannedFile(_ index: UInt32) -> BundlePlan.Placed {
    let id = EpisodeID(valid: ids[Int(owners[Int(index)])]) ?? .unknown
    return BundlePlan.Placed(episode: id, file: file(index))
  }

  /// Returns the indices of all rows, sorted by the bytes of their paths.
  func order() -> [UInt32] { paths.order }

  private func digest(_ index: Int) -> Digest {
    let length = DigestAlgorithm.sha256.length
    let bytes = digests[index * length..<(index + 1) * length]
    guard let digest = Digest(.sha256, bytes: Array(bytes)) else {
      fatalError("the rows of a plan have digests of SHA-256")
    }
    return digest
  }

  private func file(_ row: UInt32) -> BundlePlan.File {
    let index = Int(row)
    let kind = kinds[index]
    let part = Int(kind & ~(Kind.video | Kind.remote | Kind.picture))
    let content: BundlePlan.File.Content =
      if kind == Kind.document {
        .document
      } else if isRemote(row) {
        .remote(part)
      } else {
        kind & Kind.picture == 0 ? .part(part) : .picture(part)
      }
    return BundlePlan.File(
      path: paths[index], size: ByteCount(clamping: sizes[index]),
      sha256: digest(index), content: content,
      isVideo: content != .document && kind & Kind.video != 0)
  }
}

/// A collection of files of a plan, each unpacked on access.
package struct PlannedFiles: RandomAccessCollection, Sendable {
  /// The plan.
  let plan: BundlePlan
  private let indices: [UInt32]

  init(_ plan: BundlePlan, _ indices: [UInt32]) {
    self.plan = plan
    self.indices = indices
  }

  /// The position of the first file.
  package var startIndex: Int { 0 }
  /// The position after the last file.
  package var endIndex: Int { indices.count }
  /// The file at a position.
  package subscript(position: Int) -> BundlePlan.Placed { plan.file(indices[position]) }

  /// Returns the files for which the closure returns true.
  ///
  /// - Throws: the errors of the closure.
  func chosen(_ isChosen: (BundlePlan.Placed) throws -> Bool) rethrows -> PlannedFiles {
    PlannedFiles(plan, try indices.filter { try isChosen(plan.file($0)) })
  }
}
