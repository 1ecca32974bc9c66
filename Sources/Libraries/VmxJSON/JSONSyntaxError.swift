/// The position and reason of the first error in a JSON text.
package struct JSONSyntaxError: Error, Equatable {
  /// The number of bytes before the first invalid one, counted from 0.
  package let offset: Int
  /// The error, in lower case, without a full stop.
  package let reason: String

  /// Creates an error at an offset in bytes.
  package init(offset: Int, reason: String) {
    self.offset = offset
    self.reason = reason
  }
}
