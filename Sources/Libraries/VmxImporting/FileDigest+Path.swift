package import SystemPackage
package import VmxDigest
import VmxJobs
import VmxSystem

extension FileDigest {
  /// Computes the digest of a file; a symbolic link is not followed.
  ///
  /// - Parameters:
  ///   - withSegments: whether the segments are digested too.
  ///   - shouldStop: called while bytes are read.
  /// - Throws: `WorkEnded.interrupted` if `shouldStop` returned true, and errors of opening and
  ///   reading.
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
