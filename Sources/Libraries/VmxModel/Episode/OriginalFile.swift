/// The bytes as they came, of a part that is kept in another form.
///
/// They lie in the root's folder `.vmx/originals`, under the name that is their digest.
package struct OriginalFile: Sendable, Equatable {
  /// SHA-256 of the whole; what was published is the digest of these bytes.
  package var sha256: Digest
  /// Bytes of the whole.
  package var size: ByteCount
  /// How their text is encoded, as a name of iconv.
  package var encoding: String

  /// Bytes that came.
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

  /// As it stands in the store and in JSON output.
  package var record: JSONObject { JSONObject(of: self) }
}

extension OriginalFile: FieldSource {
  func write(to sink: inout some FieldSink) {
    sink.field("sha256", sha256.hex)
    sink.field("size", number: size.bytes)
    sink.field("encoding", encoding)
  }
}
