/// The bytes of a part as received, where the part is stored in converted form.
///
/// The file lies in the root's folder `.vmx/originals`, named by its digest.
package struct OriginalFile: Sendable, Equatable {
  /// The SHA-256 of the received file; a published digest describes these bytes.
  package var sha256: Digest
  /// The size of the received file in bytes.
  package var size: ByteCount
  /// The text encoding, as an iconv name.
  package var encoding: String

  /// Creates the description of a received file.
  package init(sha256: Digest, size: ByteCount, encoding: String) {
    self.sha256 = sha256
    self.size = size
    self.encoding = encoding
  }

  init?(record object: JSONObject, of id: EpisodeID) throws(Failure) {
    let fields = FieldReader(object, of: id.description)
    guard let sha256 = try fields.sha256("sha256"), let size = try fields.byteCount("size") else {
      return nil
    }
    self.init(sha256: sha256, size: size, encoding: try fields.string("encoding") ?? "")
  }

  /// The JSON object in the store and in JSON output.
  package var record: JSONObject { JSONObject(of: self) }
}

extension OriginalFile: FieldSource {
  func write(to sink: inout some FieldSink) {
    sink.field("sha256", sha256.hex)
    sink.field("size", number: size.bytes)
    sink.field("encoding", encoding)
  }
}
