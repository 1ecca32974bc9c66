/// Where and why a text is not the JSON that we take.
package struct JSONSyntaxError: Error, Equatable {
  /// Bytes before the first wrong one, counted from 0.
  package let offset: Int
  /// What is wrong there, lower case, without a full stop.
  package let reason: String

  /// A fault at an offset in bytes.
  package init(offset: Int, reason: String) {
    self.offset = offset
    self.reason = reason
  }
}
