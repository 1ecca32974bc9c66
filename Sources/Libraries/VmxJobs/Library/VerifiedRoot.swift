package import SystemPackage
import VmxModel
import VmxSystem

/// A root whose folder is held open, so that what is looked at is in the folder whose mark was
/// read, whatever is mounted or renamed meanwhile.
package struct VerifiedRoot: ~Copyable {
  private let held: OpenFile

  /// Opens the folder of a root and reads the mark in it.
  ///
  /// - Throws: `root-away` or `root-foreign`, and what the disk throws.
  package init(_ root: MediaRoot) throws {
    held = try Self.marked(root)
  }

  /// The folder, for calls that take a path below one.
  package var descriptor: FileDescriptor { held.descriptor }

  /// A path of the folder that leads there as long as it is held; for calls, not for messages.
  package var folder: FilePath { Self.path(to: held) }

  private static func path(to held: borrowing OpenFile) -> FilePath {
    FilePath("/proc/self/fd/\(held.descriptor.rawValue)")
  }

  private static func marked(_ root: MediaRoot) throws -> OpenFile {
    let held = try open(root)
    guard let mark = try RootMark(at: MediaRoot.mark(in: path(to: held))) else {
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
