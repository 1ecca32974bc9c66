import VmxModel

/// What tells two versions of a source apart (RFC 9110, section 8.8).
struct Validators: Sendable, Equatable {
  /// `ETag` as it came.
  var etag: String?
  /// `Last-Modified` as it came; dates are compared as text, not as moments.
  var lastModified: String?
  /// `Date` of the answer that the others came with.
  var date: String?

  /// Whether two answers are of one version.
  enum Agreement: Equatable {
    /// A strong validator says so.
    case same
    /// Some validator says they are not.
    case different
    /// Nothing speaks against it, but nothing proves it either.
    case unknown
  }

  /// The entity tag, if it is a strong one.
  var strongETag: String? {
    guard let etag, etag.utf8.count >= 2, etag.hasPrefix("\""), etag.hasSuffix("\"") else {
      return nil
    }
    return etag
  }

  /// The date of change, if no second change could hide behind it: it lies at least 60 seconds
  /// before the answer (RFC 7232, section 2.2.2; the later 1 second is too little for us).
  var strongLastModified: String? {
    guard let lastModified, let date, let changed = HTTPDate.moment(lastModified),
      let sent = HTTPDate.moment(date), sent.milliseconds - changed.milliseconds >= 60_000
    else { return nil }
    return lastModified
  }

  /// What `If-Range` may carry; nil where only weak validators came, or none.
  var strong: String? {
    // A weak tag says that bytes may differ while the date stays: then no date is strong.
    if etag != nil { return strongETag }
    return strongLastModified
  }

  /// Whether another answer is of the version that these came with.
  func agreement(with other: Validators) -> Agreement {
    // Where both have a tag, no date counts (RFC 9110, section 13.2.2).
    if let etag, let theirs = other.etag {
      guard etag == theirs else { return .different }
      return strongETag != nil ? .same : .unknown
    }
    guard let lastModified, let theirs = other.lastModified else { return .unknown }
    guard lastModified == theirs else {
      return isStamped && other.isStamped ? .unknown : .different
    }
    return etag == nil && other.etag == nil && strongLastModified != nil ? .same : .unknown
  }

  /// Whether the date of change is only that of the answer, as some programs send it for
  /// whatever they make; it says nothing of the bytes then.
  private var isStamped: Bool { lastModified == date }
}
