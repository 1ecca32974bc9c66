import SystemPackage
package import VmxModel
import VmxSystem

// An NFO file may be anybody's: of the person, of a player, of a tool that looks films up. So vmx
// only ever replaces one that still has the digest of what it wrote itself, as the sidecar
// remembers; whatever was changed since, or was there before, stays as it is.

/// What an NFO file says of an episode, and how it is known again.
package struct NFOSource: Sendable {
  let document: @Sendable (Episode) throws -> [UInt8]
  let digest: @Sendable ([UInt8]) -> Digest

  /// - Parameters:
  ///   - document: makes the bytes of the file.
  ///   - digest: gives the SHA-256 of bytes.
  package init(
    document: @escaping @Sendable (Episode) throws -> [UInt8],
    digest: @escaping @Sendable ([UInt8]) -> Digest
  ) {
    self.document = document
    self.digest = digest
  }
}

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
  /// Gives the SHA-256 of bytes.
  let digest: @Sendable ([UInt8]) -> Digest

  /// Writes the document beside the video, if nobody else's file is there.
  ///
  /// - Parameter before: what the sidecar remembers.
  /// - Returns: what it is to remember now; nil if the file there is not ours.
  func write(_ bytes: [UInt8], beside video: String, _ before: Written?) throws -> Written? {
    let path = MediaName.path(
      beside: video, part: Part(role: .metadata, variants: []), fileExtension: "nfo")
    let file = root.appending(path)
    guard let there = try MediaFile.prefixIfPresent(of: file, upTo: Self.largest) else {
      return try AtomicFile.create(file, with: bytes) ? written(path, bytes) : nil
    }
    if there == bytes { return written(path, bytes) }
    guard let before, before == written(path, there) else { return nil }
    try AtomicFile.replace(file, with: bytes, durable: false)
    return written(path, bytes)
  }

  private func written(_ path: String, _ bytes: [UInt8]) -> Written {
    Written(path: path, sha256: digest(bytes).hex)
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
