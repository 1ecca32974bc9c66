import Glibc
package import VmxModel

/// The reason for which a file could not be digested.
package enum DigestError: CodedError, Equatable {
  /// A read at an offset failed with this errno.
  case unreadable(offset: Int64, errno: Int32)
  /// The file is shorter than expected.
  case tooShort(expected: Int64, found: Int64)

  package var code: ErrorCode {
    switch self {
    case .unreadable: .mediaUnwritable
    case .tooShort: .partLost
    }
  }

  package var summary: String {
    switch self {
    case .unreadable(let offset, let errno):
      "cannot read at byte \(offset) for a digest: \(Self.words(for: errno))"
    case .tooShort(let expected, let found):
      "the file ends at byte \(found), expected at least \(expected)"
    }
  }

  /// Returns the system's error message, beginning in lower case.
  private static func words(for errno: Int32) -> String {
    let text = String(cString: strerror(errno))
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}
