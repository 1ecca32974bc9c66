package import SystemPackage
import VmxModel
import VmxSystem

/// A root whose folder is held open. All access goes to the folder whose mark was read, even if
/// another one is mounted or renamed there meanwhile.
package struct VerifiedRoot: ~Copyable {
  private let held: OpenFile

  /// Opens the folder of a root and reads its mark.
  ///
  /// - Throws: `root-away` or `root-foreign`, and errors of the file system.
  package init(_ root: MediaRoot) throws {
    held = try Self.marked(root)
  }

  /// The folder's descriptor, for system calls that take a path relative to one.
  package var descriptor: FileDescriptor { held.descriptor }

  /// A path through `/proc/self/fd` that leads to the open folder; for system calls, not for
  /// messages.
  package var folder: FilePath { Self.path(to: held) }

  private static func path(to held: borrowing OpenFile) -> FilePath {
    FilePath("/proc/self/fd/\(held.descriptor.rawValue)")
  }

  private static func marked(_ root: MediaRoot) throws -> OpenFile {
    let held = try open(root)
    guard let mark = try RootMark(at: path(to: held).appending(LibraryLayout.mark)) else {
      throw away(root)
    }
    guard mark.root == root.uuid else {
      throw Failure(.rootForeign, "the folder belongs to another library: '\(root.folder)'")
    }
    return held
  }

  private static func open(_ root: MediaRoot) throws -> OpenFile {
    do throws(FileError) {
      return try OpenFile(root.folder, .readOnly, options: .directory, followingLinks: true)
    } catch {
      switch error.errno {
      case .noSuchFileOrDirectory?, .notDirectory?: throw away(root)
      default: throw error
      }
    }
  }

  private static func away(_ root: MediaRoot) -> Failure {
    Failure(.rootAway, "the library's folder is not there: '\(root.folder)'")
  }
}
