import Glibc
package import SystemPackage

/// A private folder (mode 0700) for files of this process; it is removed with the files in it when
/// the last reference to it is released.
package final class TemporaryFolder: Sendable {
  /// The folder.
  package let path: FilePath

  /// Creates a folder with a random name below another one.
  ///
  /// - Throws: `FileError.failed(.makeFolder, …)`.
  package init(below parent: FilePath) throws(FileError) {
    let wanted = parent.appending("vmx-XXXXXX")
    var template = wanted.withPlatformString {
      Array(UnsafeBufferPointer(start: $0, count: strlen($0) + 1))
    }
    guard mkdtemp(&template) != nil else {
      throw .failed(.makeFolder, wanted, Errno(rawValue: errno))
    }
    path = FilePath(platformString: template)
  }

  deinit {
    // A file that cannot be removed stays in the folder for temporary files, which the system
    // cleans.
    _ = forEachFile(below: path) { name, _ in
      _ = path.pushing(name).withPlatformString { unlink($0) }
      return true
    }
    _ = path.withPlatformString { rmdir($0) }
  }
}
