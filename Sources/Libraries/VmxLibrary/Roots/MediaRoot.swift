package import SystemPackage
package import VmxModel
package import VmxStore
import VmxSystem

/// A folder of media files. A UUID marks it, so that an unmounted folder is never mistaken for
/// deleted files.
package struct MediaRoot: Sendable, Equatable {
  /// Its own UUID.
  package let uuid: String
  /// The folder.
  package let folder: FilePath

  /// Creates a root from verified facts.
  package init(uuid: String, folder: FilePath) {
    self.uuid = uuid
    self.folder = folder
  }

  /// The folder of received originals whose converted form is published; each is named by its
  /// digest.
  var originals: FilePath { folder.appending(LibraryLayout.Folder.originals.path) }

  /// Returns the path of a file or folder below the root.
  package func file(at path: PathBytes) -> FilePath {
    folder.appending(FilePath(bytes: path.bytes).components)
  }
}

extension MediaRoot {
  /// Creates the missing folders of a path in the root, in the folder whose mark was read. The root
  /// and its parent folders are never created: without its disk, the path would be on another one.
  ///
  /// - Parameter path: the absolute path of a folder in the root.
  /// - Returns: the created folders, outermost first; to make their names durable, flush the parent
  ///   folder of each.
  /// - Throws: `root-away` or `root-foreign`, and errors of the file system.
  @discardableResult
  package func makeFolders(
    _ path: FilePath, mode permissions: FilePermissions = .ownerReadWriteExecute
  ) throws -> [FilePath] {
    var below = path
    guard below.removePrefix(folder) else { throw RootMark.away(folder) }
    try checkLinks(on: path)
    let hold = try VerifiedRoot(self)
    return try VmxSystem.makeFolders(below, below: hold.descriptor, at: folder, mode: permissions)
  }

  /// Refuses a folder in the root that is reached by a symbolic link of another user.
  ///
  /// - Throws: `root-foreign`, and errors of the file system.
  func checkLinks(on path: FilePath) throws {
    var below = path
    guard below.removePrefix(folder) else { return }
    var current = folder
    for component in below.components {
      current.append(component)
      guard let facts = try FileFacts.ifPresent(at: current), facts.isLink, !facts.isOfUser else {
        continue
      }
      throw Failure(
        .rootForeign, "another user has placed a symbolic link in the library: '\(current)'",
        hint: "remove the link")
    }
  }

  /// Returns `root-away` or `root-foreign` if the folder no longer has the mark of the root, else
  /// the given error. A call on a path that has vanished with its disk reports a missing file.
  package func cause(of error: any Error) -> any Error {
    do {
      _ = try mark()
      return error
    } catch {
      return error
    }
  }

  /// Whether the mark of the root is missing after a failed call on one of its files.
  package func isAway(after error: any Error) -> Bool {
    (cause(of: error) as? Failure)?.isOfUnreachableRoot == true
  }

  /// Reads the mark in the folder, and checks that it is that of the root.
  ///
  /// - Throws: `root-away` or `root-foreign`, and errors of the file system.
  func mark() throws -> RootMark {
    try RootMark.verified(RootMark(at: folder.appending(LibraryLayout.mark)), of: self)
  }
}

extension RootMark {
  /// Checks that the mark found in the folder of a root is that of the root.
  ///
  /// - Parameter found: the mark; nil if the folder has none or does not exist.
  /// - Throws: `root-away` without a mark, `root-foreign` for the mark of another root.
  static func verified(_ found: RootMark?, of root: MediaRoot) throws(Failure) -> RootMark {
    guard let found else { throw away(root.folder) }
    guard found.root == root.uuid else { throw foreign(root.folder) }
    return found
  }

  /// Returns the failure of a missing folder or of one without a mark.
  static func away(_ folder: FilePath) -> Failure {
    Failure(.rootAway, "the library folder is unreachable: '\(folder)'")
  }

  /// Returns the failure of a folder that another library has marked.
  static func foreign(_ folder: FilePath) -> Failure {
    Failure(.rootForeign, "the folder belongs to another library: '\(folder)'")
  }
}

/// A root whose folder is held open. All access goes to the folder whose mark was read, even if
/// another one is mounted or renamed there later.
package struct VerifiedRoot: ~Copyable {
  private let folderFile: OpenFile

  /// Opens the folder of a root and reads its mark.
  ///
  /// - Throws: `root-away` or `root-foreign`, and errors of the file system.
  package init(_ root: MediaRoot) throws {
    folderFile = try Self.marked(root)
  }

  /// The folder's descriptor, for system calls that take a path relative to one.
  package var descriptor: FileDescriptor { folderFile.descriptor }

  /// A path through `/proc/self/fd` that refers to the open folder; for system calls, not for
  /// messages.
  package var folder: FilePath { Self.path(to: folderFile) }

  private static func path(to held: borrowing OpenFile) -> FilePath {
    FilePath("/proc/self/fd/\(held.descriptor.rawValue)")
  }

  private static func marked(_ root: MediaRoot) throws -> OpenFile {
    let held = try open(root)
    _ = try RootMark.verified(
      RootMark(
        at: path(to: held).appending(LibraryLayout.mark),
        named: root.folder.appending(LibraryLayout.mark)), of: root)
    return held
  }

  private static func open(_ root: MediaRoot) throws -> OpenFile {
    do throws(FileError) {
      return try OpenFile(root.folder, .readOnly, options: .directory, followingLinks: true)
    } catch  where [.noSuchFileOrDirectory, .notDirectory].contains(error.errno) {
      throw RootMark.away(root.folder)
    }
  }
}

extension Failure {
  /// Whether a root is unreachable or belongs to another library, so that nothing is known of its
  /// files.
  package var isOfUnreachableRoot: Bool { code == .rootAway || code == .rootForeign }
}

extension StoreSnapshot {
  /// Returns the absolute path of a part's file, after comparing the mark of its root.
  ///
  /// - Throws: `no-file` if the part has no file yet or has lost it, `root-away` or `root-foreign`
  ///   if its root is not the recorded one, `media-unwritable` if a folder of the path may not be
  ///   entered or the disk fails.
  package func mediaFile(of part: Part, of episode: Episode) throws -> FilePath {
    let subject = "'\(part.name)' of '\(episode.id)'"
    guard part.state == .ready || part.state == .damaged, let path = part.path,
      let uuid = part.root
    else {
      throw Failure(.noFile, "\(subject) has no file yet")
    }
    guard let folder = rootFolder(uuid) else {
      throw Failure(.rootAway, "the library has no root for \(subject)")
    }
    let root = MediaRoot(uuid: uuid, folder: FilePath(folder))
    let hold = try VerifiedRoot(root)
    let file = root.folder.appending(path)
    do throws(FileError) {
      let facts = try FileFacts.ifPresent { () throws(FileError) in
        try FileFacts.of(path, below: hold.descriptor)
      }
      if facts != nil { return file }
    } catch {
      // Any other error leaves it unknown whether the file is missing.
      throw error.about(file)
    }
    throw Failure(
      .noFile, "the file of \(subject) is missing: '\(file)'",
      hint:
        "run 'vmx verify \(episode.id)', then 'vmx fetch \(episode.id)' to fetch it again")
  }
}
