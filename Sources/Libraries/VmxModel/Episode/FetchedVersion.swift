/// Which version of which source bytes are, so that more of the same can be asked for later.
package struct FetchedVersion: Sendable, Equatable {
  /// `StableHash` of the source's URL, which itself may hold tokens.
  package var source: UInt64
  /// `ETag` as it came.
  package var etag: String?
  /// `Last-Modified` as it came.
  package var lastModified: String?
  /// `Date` of the answer that they came with.
  package var date: String?

  /// A version of a source.
  package init(source: UInt64, etag: String?, lastModified: String?, date: String?) {
    self.source = source
    self.etag = etag
    self.lastModified = lastModified
    self.date = date
  }

  /// The version that fields of a sidecar tell; nil where they tell none.
  package init?(in object: JSONObject) {
    guard let source = object["source"]?.string.flatMap({ UInt64($0, radix: 16) }) else {
      return nil
    }
    self.init(
      source: source, etag: object["etag"]?.string, lastModified: object["last_modified"]?.string,
      date: object["date"]?.string)
  }

  /// Adds the fields that tell it.
  package func append(to object: inout JSONObject) {
    object.append("source", Hex.text(of: source))
    object.append("etag", etag)
    object.append("last_modified", lastModified)
    object.append("date", date)
  }
}
