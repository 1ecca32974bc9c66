/// A place where the bytes of a variant can be had.
package struct Source: Sendable, Hashable {
  /// An absolute http or https URL without user and password.
  package var url: String
  /// The reference of the user and password in the secrets file, if any.
  package var secret: String?
  /// Fields of other versions, kept as they are.
  package var extra = JSONObject()

  /// A source at a URL that carries no secrets.
  package init(url: String, secret: String? = nil) {
    self.url = url
    self.secret = secret
  }
}

/// One of the files that can stand for a part; another variant is another file.
package struct Variant: Sendable, Hashable {
  /// Lines of the picture.
  package var height: Int64?
  /// Bits per second.
  package var bitrate: Int64?
  /// Media type, such as `video/mp4`.
  package var type: String?
  /// Bytes, as its publisher says.
  package var size: ByteCount?
  /// Digest, as its publisher says.
  package var sha256: Digest?
  /// Milliseconds that it plays, as its publisher says.
  package var duration: Int64?
  /// Mirrors, in the order in which they are tried.
  package var sources: [Source]
  /// Fields of other versions, kept as they are.
  package var extra = JSONObject()

  /// A variant with its mirrors.
  package init(
    height: Int64? = nil, bitrate: Int64? = nil, type: String? = nil, size: ByteCount? = nil,
    sha256: Digest? = nil, duration: Int64? = nil, sources: [Source]
  ) {
    self.height = height
    self.bitrate = bitrate
    self.type = type
    self.size = size
    self.sha256 = sha256
    self.duration = duration
    self.sources = sources
  }
}

extension Part {
  /// Puts the source at this URL before its mirrors, which keep their order; a URL that is none
  /// of its sources changes nothing.
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
