/// The version of the source bytes, so that later requests can ask for more of the same version.
package struct FetchedVersion: Sendable, Equatable {
  /// `StableHash` of the source's URL; the URL itself may contain tokens.
  package var source: UInt64
  /// `ETag` as received.
  package var etag: String?
  /// `Last-Modified` as received.
  package var lastModified: String?
  /// `Date` of the response that carried them.
  package var date: String?

  /// Creates a version of a source.
  package init(source: UInt64, etag: String?, lastModified: String?, date: String?) {
    self.source = source
    self.etag = etag
    self.lastModified = lastModified
    self.date = date
  }

  /// Decodes the version from the fields of a sidecar; nil if they contain none.
  package init?(in object: JSONObject) {
    guard let source = object["source"]?.string.flatMap({ UInt64($0, radix: 16) }) else {
      return nil
    }
    self.init(
      source: source, etag: object["etag"]?.string, lastModified: object["last_modified"]?.string,
      date: object["date"]?.string)
  }

  /// Appends the fields of this version.
  package func append(to object: inout JSONObject) {
    object.append("source", Hex.text(of: source))
    object.append("etag", etag)
    object.append("last_modified", lastModified)
    object.append("date", date)
  }
}
