/// A URL from which the bytes of a variant can be fetched.
package struct Source: Sendable, Hashable {
  /// An absolute http or https URL without user and password.
  package var url: String
  /// The reference to the user and password in the secrets file, if any.
  package var secret: String?
  /// Unknown fields of other versions, kept unchanged.
  package var extra = JSONObject()

  /// Creates a source from a URL without secrets.
  package init(url: String, secret: String? = nil) {
    self.url = url
    self.secret = secret
  }
}

/// One of the alternative files of a part; its sources all serve the same file.
package struct Variant: Sendable, Hashable {
  /// The height of the picture in lines.
  package var height: Int64?
  /// The bit rate in bits per second.
  package var bitrate: Int64?
  /// The media type, such as `video/mp4`.
  package var type: String?
  /// The published size in bytes.
  package var size: ByteCount?
  /// The published SHA-256.
  package var sha256: Digest?
  /// The published duration in milliseconds.
  package var duration: Int64?
  /// The mirrors, in the order in which they are tried.
  package var sources: [Source]
  /// Unknown fields of other versions, kept unchanged.
  package var extra = JSONObject()

  /// Creates a variant with its mirrors.
  package init(
    height: Int64? = nil, bitrate: Int64? = nil, type: String? = nil, size: ByteCount? = nil,
    sha256: Digest? = nil, sources: [Source]
  ) {
    self.height = height
    self.bitrate = bitrate
    self.type = type
    self.size = size
    self.sha256 = sha256
    self.sources = sources
  }
}

extension Part {
  /// Moves the source with this URL before its mirrors, which keep their order. Does nothing if no
  /// variant has a source with this URL.
  package mutating func prefer(source url: String) {
    for index in variants.indices {
      guard let place = variants[index].sources.firstIndex(where: { $0.url == url }) else {
        continue
      }
      let source = variants[index].sources.remove(at: place)
      variants[index].sources.insert(source, at: 0)
    }
  }
}
