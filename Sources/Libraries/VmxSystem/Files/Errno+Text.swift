import Glibc
package import SystemPackage

extension Errno {
  /// The error of the C call that has just failed on this thread.
  package static var last: Errno { Errno(rawValue: errno) }

  /// The system's error message, beginning in lower case, for the end of a message.
  package var words: String {
    let text = description
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}
