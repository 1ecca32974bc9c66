/// A URL from which the bytes of a variant can be fetched.
package struct Source: Sendable, Hashable {
  /// An absolute http or https URL without user and password.
  package var url: String
  /// The reference to the user and password in the secrets file, if any.
  package var secret: String?
  /// The permanent failure of the last attempt; nil if it has not failed permanently.
  package var failure: ErrorCode?
  /// Whether a bundle or another external description supplied the URL, not the user. Such a source
  /// may not lead to loopback or private networks.
  package var isForeign = false
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

// The failures of sources are recorded. Neither this run nor a later one requests a failed source
// while another is left. A variant whose sources all failed is skipped. If the user requests a part
// without another source, the failures are cleared and all sources are tried once more.

extension Variant {
  /// Whether each of its sources failed permanently; false without a source.
  package var isExhausted: Bool {
    !sources.isEmpty && sources.allSatisfy { $0.failure != nil }
  }
}

extension Part {
  /// The variants that can be fetched and are not exhausted; all that can be fetched if each is
  /// exhausted.
  package var eligible: [Variant] {
    let left = offered.filter { !$0.isExhausted }
    return left.isEmpty ? offered : left
  }

  /// Whether any variant that can be fetched is not exhausted.
  package var hasUntriedSource: Bool { offered.contains { !$0.isExhausted } }

  /// Replaces the failures of the sources with these URLs; other sources keep theirs.
  package mutating func replace(failures: [String: ErrorCode?]) {
    for variant in variants.indices {
      for source in variants[variant].sources.indices {
        guard let failure = failures[variants[variant].sources[source].url] else { continue }
        variants[variant].sources[source].failure = failure
      }
    }
  }

  /// The failure of each source, by its URL.
  package var sourceFailures: [String: ErrorCode?] {
    let sources = variants.flatMap(\.sources)
    return Dictionary(sources.map { ($0.url, $0.failure) }, uniquingKeysWith: { first, _ in first })
  }

  /// Clears the failures of all sources if each has failed, so that all are tried once more.
  package mutating func retrySources() {
    if !hasUntriedSource { replace(failures: sourceFailures.mapValues { _ in nil }) }
  }

  /// Whether the part failed permanently and has gained another source since.
  package var hasNewSource: Bool {
    state == .failed && hasUntriedSource
      && variants.contains { $0.sources.contains { $0.failure != nil } }
  }
}

extension Part {
  /// Moves the source with this URL before its mirrors, which keep their order. Does nothing if no
  /// variant has a source with this URL.
  package mutating func prefer(source url: String) {
    for index in variants.indices {
      guard let position = variants[index].sources.firstIndex(where: { $0.url == url }) else {
        continue
      }
      let source = variants[index].sources.remove(at: position)
      variants[index].sources.insert(source, at: 0)
    }
  }
}

extension Variant: FieldRecord {
  /// The fields of a variant in the store.
  package enum Field: String, RecordField {
    case height, bitrate, type, size, sha256, duration, sources
  }

  package static let fields = FieldSet<Field>(Field.allCases)
  package static var blank: Variant { Variant(sources: []) }

  package mutating func code<C: FieldCoder>(
    _ field: Field, _ coder: inout C
  ) throws(C.Problem) {
    switch field {
    case .height: try coder.field(&height)
    case .bitrate: try coder.field(&bitrate)
    case .type: try coder.field(&type)
    case .size: try coder.field(&size)
    case .sha256: try coder.field(&sha256)
    case .duration: try coder.field(&duration, .duration)
    case .sources: try coder.field(&sources, absent: [])
    }
  }
}

extension Source: FieldRecord {
  /// The fields of a source in the store.
  package enum Field: String, RecordField { case url, secret, failed, foreign }

  package static let fields = FieldSet<Field>(Field.allCases)
  package static var blank: Source { Source(url: "") }

  package mutating func code<C: FieldCoder>(
    _ field: Field, _ coder: inout C
  ) throws(C.Problem) {
    switch field {
    case .url: try coder.field(&url, absent: "")
    case .secret: try coder.field(&secret)
    case .failed:
      var name = failure?.rawValue
      try coder.field(&name)
      failure = name.flatMap(ErrorCode.init)
    case .foreign: try coder.field(&isForeign, omitting: false)
    }
  }
}
