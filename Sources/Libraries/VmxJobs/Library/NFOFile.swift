import SystemPackage
package import VmxModel
import VmxSystem

// An NFO file may be anybody's: of the person, of a player, of a tool that looks films up. So vmx
// only ever replaces one that still has the digest of what it wrote itself, as the sidecar
// remembers; whatever was changed since, or was there before, stays as it is. A file of nothing but
// zeros is what a power cut made of one: no person and no program writes that.

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

  /// Where the file of a video stands, below the root.
  static func path(beside video: String) -> String {
    MediaName.path(beside: video, part: Part(role: .metadata, variants: []), fileExtension: "nfo")
  }

  /// Writes the draft of the document beside the video, unless a file of another program or of a
  /// person is there.
  ///
  /// - Parameter before: what the sidecar remembers.
  /// - Returns: what it is to remember now, nil if the file there is not ours; and the draft, nil
  ///   if nothing is to be written.
  func draft(
    _ bytes: [UInt8], beside video: String, _ before: Written?
  ) throws -> (written: Written?, draft: DraftFile?) {
    let path = Self.path(beside: video)
    let file = root.appending(path)
    guard let there = try MediaFile.prefixIfPresent(of: file, upTo: Self.largest) else {
      let draft = try DraftFile(of: file, bytes, mode: .published, replaces: false)
      return (written(path, bytes), draft)
    }
    if there == bytes { return (written(path, bytes), nil) }
    let isOurs = before.map { $0 == written(path, there) } ?? false
    guard isOurs || there.allSatisfy({ $0 == 0 }) else { return (nil, nil) }
    return (written(path, bytes), try DraftFile(of: file, bytes, mode: .published))
  }

  /// Removes the file that vmx wrote beside a video that stands elsewhere now, unless it was changed.
  func removeUnchanged(_ before: Written) throws {
    let file = root.appending(before.path)
    guard let there = try MediaFile.prefixIfPresent(of: file, upTo: Self.largest),
      before == written(before.path, there)
    else { return }
    try MediaFile.remove(file)
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
