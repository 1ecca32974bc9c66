import SystemPackage
import VmxDigest
import VmxEngine
import VmxLibrary
package import VmxModel
import VmxStore
import VmxSystem

extension LocalImport {
  /// Stores the bytes of a licence as the key part of an episode, byte for byte, mode 0600.
  ///
  /// - Parameter id: an episode with a key part that has no file.
  /// - Returns: the recorded episode, and the failure to write its sidecar.
  /// - Throws: `not-key`, `disk-full`, `lock-busy`, and errors of the store.
  package func takeLicence(
    _ bytes: [UInt8], of id: EpisodeID
  ) throws -> (episode: Episode, unsaved: Failure?) {
    let root = try mediaRoots.forNewFiles()
    let place = try ImportStaging(store).place(below: root.folder)
    defer { place.release() }
    try AtomicFile.replace(place.file, with: bytes, mode: .ownerReadWrite, durable: false)
    let digest = try withFile(place.file) { try FileDigest.of($0) }
    let found = FoundBytes(
      size: digest.size, sha256: digest.whole, proof: .length, segments: digest.segments)
    let file = ImportedFile(place.file, part: PartRole.key.rawValue, found: found)
    return try intake.take([file], of: id, root: root)
  }
}
