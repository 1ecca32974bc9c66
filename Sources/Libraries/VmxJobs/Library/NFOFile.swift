import SystemPackage
import VmxModel
import VmxSystem

// An NFO file may be anybody's: of the person, of a player, of a tool that looks films up. So vmx
// only ever replaces one that still has the digest of what it wrote itself, as the sidecar
// remembers; whatever was changed since, or was there before, stays as it is.

/// The NFO file beside a video.
struct NFOFile {
  /// Bytes of a file that is looked at.
  private static let largest = 1 << 20

  /// What vmx wrote, as the sidecar remembers it.
  struct Written: Sendable, Equatable {
    /// Path below the root.
    let path: String
    /// SHA-256 of the whole.
    let sha256: String
  }

  /// The folder of the root.
  let root: FilePath
  /// Reads a whole file and gives its SHA-256.
  let digest: @Sendable (FilePath) throws -> Digest

  /// Writes the document beside the video, if nobody else's file is there.
  ///
  /// - Parameter before: what the sidecar remembers.
  /// - Returns: what it is to remember now; nil if the file there is not ours.
  func write(_ bytes: [UInt8], beside video: String, _ before: Written?) throws -> Written? {
    let path = MediaName.path(
      beside: video, part: Part(role: .metadata, variants: []), fileExtension: "nfo")
    let file = root.appending(path)
    guard let there = try MediaFile.prefixIfPresent(of: file, upTo: Self.largest) else {
      return try AtomicFile.create(file, with: bytes) ? try written(path, file) : nil
    }
    if there == bytes { return try written(path, file) }
    guard let before, before == (try written(path, file)) else { return nil }
    try AtomicFile.replace(file, with: bytes, durable: false)
    return try written(path, file)
  }

  private func written(_ path: String, _ file: FilePath) throws -> Written {
    Written(path: path, sha256: try digest(file).hex)
  }
}

extension Episode {
  /// Whether a part of it is an NFO file itself, or may become one.
  var bringsNFO: Bool {
    parts.contains { part in
      guard part.role == .metadata, part.state != .removed else { return false }
      let names = [part.path].compactMap { $0 } + part.urls
      return names.contains { name in
        let plain = name.prefix { $0 != "?" && $0 != "#" }
        return plain.lowercased().hasSuffix(".nfo")
      }
    }
  }
}
