/// The identity of a damaged file when its repair began.
///
/// The repair replaces only this exact file, never a file that another program put in its place.
package struct DamagedFile: Sendable, Equatable {
  /// The SHA-256 of the bytes that replace it.
  package var sha256: Digest
  /// The size of the bytes that replace it.
  package var size: ByteCount
  /// The inode number on its device.
  package var inode: UInt64
  /// The number of bytes that the damaged file has.
  package var held: Int64
  /// The time of the last change of its bytes, in nanoseconds since the epoch.
  package var modified: Int64

  /// Creates the identity of an inspected file.
  package init(sha256: Digest, size: ByteCount, inode: UInt64, held: Int64, modified: Int64) {
    self.sha256 = sha256
    self.size = size
    self.inode = inode
    self.held = held
    self.modified = modified
  }
}
