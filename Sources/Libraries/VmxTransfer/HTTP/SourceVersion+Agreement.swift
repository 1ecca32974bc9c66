import VmxLibrary
import VmxModel

extension SourceVersion {
  /// Whether another response describes the same version; sizes and digests are compared as well.
  func agreement(with other: SourceVersion) -> Validators.Agreement {
    if let total, let theirs = other.total, total != theirs { return .different }
    if let published, let theirs = other.published, published.algorithm == theirs.algorithm,
      published != theirs
    {
      return .different
    }
    return validators.agreement(with: other.validators)
  }
}

extension Validators {
  /// The result of comparing the versions of two responses.
  enum Agreement: Equatable {
    /// A strong validator is the same.
    case same
    /// A validator differs.
    case different
    /// No validator differs, but none proves the versions equal.
    case unknown
  }

  /// The entity tag, if it is a strong one. An empty tag distinguishes no versions.
  var strongETag: String? {
    guard let etag, etag.utf8.count > 2, etag.hasPrefix("\""), etag.hasSuffix("\"") else {
      return nil
    }
    return etag
  }

  /// The modification date, if it is at least 60 seconds before the response, so that no second
  /// change can share it. RFC 7232, section 2.2.2, requires 60 seconds; the 1 second of its
  /// successor is too little here.
  var strongLastModified: String? {
    guard let lastModified, let date, let changed = Timestamp(httpDate: lastModified),
      let sent = Timestamp(httpDate: date), sent.milliseconds - changed.milliseconds >= 60_000
    else { return nil }
    return lastModified
  }

  /// The value for `If-Range`; nil if there are only weak validators, or none.
  var strong: String? {
    // A weak tag implies that the bytes may differ while the date stays the same, so no date is
    // strong then.
    if etag != nil { return strongETag }
    return strongLastModified
  }

  /// Compares these validators with those of another response.
  func agreement(with other: Validators) -> Agreement {
    // If both responses have a tag, dates do not count (RFC 9110, section 13.2.2).
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

  /// Whether the modification dates of two responses do not contradict each other.
  func mayShareDate(with other: Validators) -> Bool {
    guard let lastModified, let theirs = other.lastModified else { return true }
    return lastModified == theirs || isStamped && other.isStamped
  }

  /// Whether the modification date equals the response's date, as some programs send it for
  /// generated content. It then says nothing about the bytes.
  private var isStamped: Bool { lastModified == date }
}
