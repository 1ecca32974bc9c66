import SystemPackage
package import VmxModel
import VmxSystem

// A converted file is kept together with its original. The published digest verifies the original;
// the recorded digest verifies the converted file beside the video. The order of steps is:
// 1. Write the converted file beside the partial file, durably.
// 2. Record both digests.
// 3. Move the original into the originals folder, durably.
// 4. Rename the converted file to the partial file, which is then published.
// After a crash between two steps, the remaining steps are repeated.

extension PartFinisher {
  /// Returns the recorded original, if `found` is its converted form and the original is still
  /// stored.
  func original(
    of part: Part, _ found: FoundBytes, in root: MediaRoot
  ) throws -> OriginalFile? {
    guard let original = part.original, part.sha256 == found.sha256 else { return nil }
    let file = Self.path(of: original, in: root)
    guard try RegularFile.size(of: file) == original.size, try digest(file) == original.sha256
    else {
      return nil
    }
    return original
  }

  /// Writes the converted bytes beside the partial file, durably.
  func writeConverted(
    _ made: PartContent.Made, _ proof: Proof, at location: PartLocation
  ) throws -> FoundBytes {
    try AtomicFile.replace(location.files.convertedFile, with: made.bytes, durable: true)
    return FoundBytes(
      size: ByteCount(clamping: Int64(made.bytes.count)),
      sha256: try digest(location.files.convertedFile), proof: proof)
  }

  /// Replaces the partial file by the converted one, and moves the original to the originals
  /// folder. May be repeated after a crash at any point.
  ///
  /// - Throws: `part-lost` if the converted file is gone, and errors of the file system.
  func exchange(_ part: Part, at location: PartLocation) throws {
    guard let original = part.original else { return }
    let files = location.files
    let isHere = try RegularFile.size(of: files.partial) != nil
    let isAsItCame = try isHere && digest(files.partial) == original.sha256
    guard try RegularFile.size(of: files.convertedFile) != nil,
      try digest(files.convertedFile) == part.sha256
    else {
      // Without the converted file, the original must not be published. If both are gone, the
      // converted file may have been published already.
      if isAsItCame { throw Failure(.partLost, "the converted file of '\(part.name)' is missing") }
      return
    }
    if isAsItCame { try publishOriginal(files.partial, as: original, in: location.root) }
    try renameReplacing(from: files.convertedFile, to: files.partial)
  }

  private func publishOriginal(
    _ file: FilePath, as original: OriginalFile, in root: MediaRoot
  ) throws {
    let target = Self.path(of: original, in: root)
    let made = try root.makeFolders(target.folder)
    try RegularFile.flush(file)
    try renameReplacing(from: file, to: target)
    for folder in made.map(\.folder) + [target.folder] { try syncFolder(folder) }
  }

  private static func path(of original: OriginalFile, in root: MediaRoot) -> FilePath {
    root.originals.appending(original.sha256.hex)
  }
}

extension PartFinisher {
  /// Returns the maximum size in bytes for a role; videos have no limit.
  package static func maxSize(of role: PartRole) -> ByteCount {
    switch role {
    case .video: ByteCount(clamping: .max)
    case .subtitle: SubtitleCheck.maxSize
    case .key: KeyCheck.maxSize
    case .image, .metadata: ByteCount(clamping: 64 << 20)
    }
  }

  /// Returns the maximum size in bytes of a text of a role; nil if it is that of all its files.
  package static func maxTextSize(of role: PartRole) -> ByteCount? {
    role == .subtitle ? SubtitleCheck.maxTextSize : nil
  }
}
