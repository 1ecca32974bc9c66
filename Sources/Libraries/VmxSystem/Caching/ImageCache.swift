package import SystemPackage
package import VmxModel

/// The cached pictures of catalogues, as files that other programs can open. A changed picture has
/// a new URL, so a cached file is never stale.
///
/// The cache is separate from the catalogue, so that commands that send no requests to the
/// catalogue find the pictures too.
///
///     let images = ImageCache(ofCatalogueIn: folder)
///     let file = try images.file(of: url) ?? images.keep(bytes, of: url)
package struct ImageCache: Sendable {
  /// The default maximum of the bytes of all files together: 64 MiB.
  package static let defaultCapacity = ByteCount(clamping: 64 << 20)
  /// The maximum number of bytes of one picture.
  package static let maxImageSize = ByteCount(clamping: 16 << 20)

  /// The file extensions of the accepted types, by the first bytes of a file.
  private static let types: [(mark: [UInt8], name: String)] = [
    ([0xFF, 0xD8, 0xFF], "jpg"), ([0x89, 0x50, 0x4E, 0x47], "png"),
    ([0x47, 0x49, 0x46, 0x38], "gif"),
    ([0x52, 0x49, 0x46, 0x46], "webp"),
  ]

  private let folder: CacheFolder

  /// Creates a cache in a folder, which is created with the first picture.
  ///
  /// - Parameter capacity: the maximum number of bytes of all files; the oldest ones are removed
  ///   first.
  package init(folder: FilePath, capacity: ByteCount = defaultCapacity) {
    self.folder = CacheFolder(path: folder, capacity: capacity)
  }

  /// Creates the cache for the pictures of a catalogue.
  ///
  /// - Parameter catalogue: the folder of its cached responses.
  package init(ofCatalogueIn catalogue: FilePath) {
    self.init(folder: catalogue.appending("images"))
  }

  /// Returns the file of a picture; nil if there is none.
  ///
  /// - Throws: `FileError`.
  package func file(of url: String) throws(FileError) -> FilePath? {
    for type in Self.types {
      let path = folder.path.appending(Self.name(of: url, type.name))
      if try FileFacts.of(path)?.isRegular == true { return path }
    }
    return nil
  }

  /// Stores a picture and returns its file.
  ///
  /// - Throws: `not-media` for bytes of another type; errors of the file system.
  package func keep(_ bytes: [UInt8], of url: String) throws -> FilePath {
    guard let type = Self.types.first(where: { bytes.starts(with: $0.mark) }) else {
      throw Failure(.notMedia, "'\(URLRedaction.redacted(url))' is not an image")
    }
    let name = Self.name(of: url, type.name)
    try folder.keep(bytes, as: name)
    return folder.path.appending(name)
  }

  private static func name(of url: String, _ type: String) -> String {
    "\(Hex.text(of: StableHash.of(url))).\(type)"
  }
}
