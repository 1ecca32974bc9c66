import Glibc
import SystemPackage

/// A program of this package, which is built beside the tests.
package enum BuiltProgram {
  /// Returns its path.
  ///
  /// - Throws: `Errno` if the test bundle cannot be found.
  package static func path(_ name: String) throws -> String {
    guard let own = realpath("/proc/self/exe", nil) else { throw Errno(rawValue: errno) }
    defer { free(own) }
    return FilePath(platformString: own).removingLastComponent().appending(name).string
  }
}
