package import SystemPackage
import VmxDigest
package import VmxModel
import VmxSystem

// A picture in the folder of a show may come from the user, a player or a metadata tool. So vmx
// replaces and removes only a file whose digest the record of the show has. The digest is recorded
// before the file is renamed, together with that of the file that it replaces. So after a crash
// between the two steps the file of either version is one of vmx.

/// The pictures of a show in one of its folders.
///
///     let files = try ShowPictureFiles(in: folder, of: show.picture)
///     if files.others.isEmpty { … }
package struct ShowPictureFiles: Sendable {
  /// The names of the files that vmx has written.
  package private(set) var own: [String] = []
  /// The names of the files of the user or another program.
  package private(set) var others: [String] = []
  private let folder: FilePath

  /// Finds the pictures in a folder; there are none in a folder that does not exist.
  ///
  /// - Parameter picture: the picture as the record of the show has it.
  /// - Throws: errors of the file system.
  package init(in folder: FilePath, of picture: ShowPicture?) throws {
    self.folder = folder
    for name in try FolderNames(of: folder).names where LibraryLayout.isShowPicture(name.utf8) {
      let isOwn = try picture.map { try Self.isOwn(folder.appending(name), $0) } ?? false
      if isOwn { own.append(name) } else { others.append(name) }
    }
  }

  private static func isOwn(_ file: FilePath, _ picture: ShowPicture) throws -> Bool {
    guard let facts = try FileFacts.of(file), facts.isRegular,
      facts.size <= ImageCache.maxImageSize.bytes
    else { return false }
    return picture.isOwn(try FileDigest.sha256(of: file))
  }

  /// Reads the bytes of the file that vmx has written; nil if there is none.
  ///
  /// - Throws: errors of the file system.
  package func bytes() throws -> [UInt8]? {
    guard let name = own.first else { return nil }
    return try RegularFile.prefix(
      of: folder.appending(name), upTo: Int(ImageCache.maxImageSize.bytes))
  }

  /// Writes the file of the picture, durably, in place of those that vmx has written. A file of
  /// that name that another program has made since is kept.
  ///
  /// - Parameter name: the name of the file.
  /// - Throws: errors of the file system.
  package func write(_ bytes: [UInt8], as name: String) throws {
    let draft = try TemporaryFile(
      of: folder.appending(name), bytes, mode: .published, replaces: own.contains(name))
    defer { draft.discard() }
    try FilePublisher().publish([draft])
    for old in own where old != name { try RegularFile.remove(folder.appending(old)) }
  }

  /// Removes the files that vmx has written.
  ///
  /// - Throws: `FileError`.
  func removeOwn() throws(FileError) {
    for name in own { try RegularFile.remove(folder.appending(name)) }
  }
}

extension ShowPicture {
  /// Returns the digest of the bytes of a picture.
  package static func digest(of bytes: [UInt8]) -> Digest { DigestHasher.sha256(of: bytes) }
}

/// The names of the entries of a folder; none if it does not exist.
struct FolderNames {
  private(set) var names: [String] = []

  /// Reads the folder.
  ///
  /// - Parameter limit: the number of names after which reading ends.
  /// - Throws: `FileError`.
  init(of path: FilePath, limit: Int = .max) throws(FileError) {
    do throws(FileError) {
      let folder = try OpenFolder(path)
      while names.count < limit, let entry = try folder.next() {
        names.append(String(decoding: entry.name, as: UTF8.self))
      }
    } catch {
      guard error.errno == .noSuchFileOrDirectory else { throw error }
      names = []
    }
    names.sort()
  }
}
