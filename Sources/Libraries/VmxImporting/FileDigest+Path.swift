package import SystemPackage
package import VmxDigest
import VmxJobs
import VmxSystem

extension FileDigest {
  /// Digests a file of the library or one that was given; a link is not followed.
  ///
  /// - Parameters:
  ///   - withSegments: whether the segments are wanted too.
  ///   - shouldStop: asked while bytes are read.
  /// - Throws: `WorkEnded.interrupted` if it was told to stop, and what opening and reading throw.
  package static func of(
    _ path: FilePath, withSegments: Bool = false, shouldStop: () -> Bool = { false }
  ) throws -> FileDigest {
    let file = try OpenFile(path, .readOnly)
    let digest = try of(
      file.descriptor.rawValue, withSegments: withSegments, shouldStop: { _ in shouldStop() })
    guard let digest else { throw WorkEnded.interrupted }
    return digest
  }
}
