import SystemPackage
package import VmxModel
import VmxSystem

// Where a file is kept in another form than it came in, both are kept: what was published proves
// the original, the record's digest proves what stands beside the video. The order is: write what
// is made of it beside it, durable; record both digests; give the original its place, durable;
// put the other in its place; then its name. A crash between two of these is mended by doing
// the rest.

extension FinishingBytes {
  /// The original of bytes that were put in its place, if these are they and it is there.
  func original(
    of part: Part, _ found: FoundBytes, in root: MediaRoot
  ) throws -> OriginalFile? {
    guard let original = part.original, part.sha256 == found.sha256 else { return nil }
    let file = Self.place(of: original, in: root)
    guard try MediaFile.size(of: file) == original.size, try digest(file) == original.sha256 else {
      return nil
    }
    return original
  }

  /// Writes what is to be kept beside what came.
  func keep(
    _ made: PartContent.Made, _ proof: Proof, at location: PartLocation
  ) throws -> FoundBytes {
    try AtomicFile.replace(location.files.made, with: made.bytes, durable: true)
    return FoundBytes(
      size: ByteCount(clamping: Int64(made.bytes.count)),
      sha256: try digest(location.files.made), proof: proof)
  }

  /// Puts what is kept in the place of what came, which goes to the originals. May be done again
  /// from wherever it ended.
  ///
  /// - Throws: `part-lost` if what is to be kept is gone, and what the disk throws.
  func exchange(_ part: Part, at location: PartLocation) throws {
    guard let original = part.original else { return }
    let files = location.files
    let isHere = try MediaFile.size(of: files.partial) != nil
    let isAsItCame = try isHere && digest(files.partial) == original.sha256
    guard try MediaFile.size(of: files.made) != nil, try digest(files.made) == part.sha256 else {
      // Without it the original must not get the name; if both are gone, it may have it already.
      if isAsItCame { throw Failure(.partLost, "what was made of '\(part.name)' is gone") }
      return
    }
    if isAsItCame { try put(files.partial, as: original, in: location.root) }
    try renameReplacing(from: files.made, to: files.partial)
  }

  private func put(
    _ file: FilePath, as original: OriginalFile, in root: MediaRoot
  ) throws(FileError) {
    let place = Self.place(of: original, in: root)
    let made = try makeFolders(place.folder)
    try MediaFile.flush(file)
    try renameReplacing(from: file, to: place)
    for folder in made.map(\.folder) + [place.folder] { try syncFolder(folder) }
  }

  private static func place(of original: OriginalFile, in root: MediaRoot) -> FilePath {
    root.originals.appending(original.sha256.hex)
  }
}

extension FinishingBytes {
  /// Bytes of the largest file of a role that is taken; a video has as many as it has.
  package static func largest(of role: PartRole) -> ByteCount {
    switch role {
    case .video: ByteCount(clamping: .max)
    case .subtitle: SubtitleCheck.largest
    case .key: KeyCheck.largest
    case .image, .metadata: ByteCount(clamping: 64 << 20)
    }
  }
}
