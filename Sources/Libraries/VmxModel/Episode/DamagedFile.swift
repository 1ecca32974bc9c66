/// A file whose bytes are wrong, as it was when its repair began.
///
/// Only that very file is replaced: one that another program has put in its place since is not.
package struct DamagedFile: Sendable, Equatable {
  /// SHA-256 of the bytes that are fetched in its stead.
  package var sha256: Digest
  /// How many bytes that are.
  package var size: ByteCount
  /// Its number on its device.
  package var inode: UInt64
  /// Bytes that it has.
  package var held: Int64
  /// Nanoseconds since the epoch at which its bytes last changed.
  package var modified: Int64

  /// A file that was looked at.
  package init(sha256: Digest, size: ByteCount, inode: UInt64, held: Int64, modified: Int64) {
    self.sha256 = sha256
    self.size = size
    self.inode = inode
    self.held = held
    self.modified = modified
  }

  init?(record object: JSONObject, of id: EpisodeID) throws(Failure) {
    let fields = FieldReader(object, of: id.description)
    guard let sha256 = try fields.sha256("sha256"), let size = try fields.byteCount("size"),
      let inode = try fields.integer("inode"), let held = try fields.integer("held"),
      let modified = try fields.integer("modified")
    else { return nil }
    self.init(
      sha256: sha256, size: size, inode: UInt64(bitPattern: inode), held: held, modified: modified)
  }

  /// As it stands in the store.
  package var record: JSONObject { JSONObject(of: self) }
}

extension DamagedFile: FieldSource {
  func write(to sink: inout some FieldSink) {
    sink.field("sha256", sha256.hex)
    sink.field("size", number: size.bytes)
    sink.field("inode", number: Int64(bitPattern: inode))
    sink.field("held", number: held)
    sink.field("modified", number: modified)
  }
}
