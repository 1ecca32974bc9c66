/// A number of files to transfer, and their total size as far as it is known.
package struct WorkAmount: Sendable, Equatable {
  /// No files.
  package static let zero = WorkAmount()

  /// The number of files.
  package private(set) var files = 0
  /// The number of files of unknown size.
  package private(set) var unsized = 0
  /// The total size of the other files in bytes.
  package private(set) var bytes: Int64 = 0

  private init() {}

  /// Creates an amount.
  ///
  /// - Parameter unsized: the number of files of unknown size.
  package init(files: Int, unsized: Int, bytes: Int64) {
    self.files = files
    self.unsized = unsized
    self.bytes = bytes
  }

  /// Adds a file; nil means an unknown size.
  package mutating func add(fileOf size: Int64?) {
    self += WorkAmount(files: 1, unsized: size == nil ? 1 : 0, bytes: size ?? 0)
  }

  /// Subtracts a file of the size with which it was added; the result is never negative.
  package mutating func subtract(fileOf size: Int64?) {
    self -= WorkAmount(files: 1, unsized: size == nil ? 1 : 0, bytes: size ?? 0)
  }

  /// Adds an amount; the bytes saturate.
  package static func += (left: inout WorkAmount, right: WorkAmount) {
    left.files += right.files
    left.unsized += right.unsized
    left.bytes = left.bytes.addingClamped(right.bytes)
  }

  /// Subtracts an amount; no number becomes negative.
  package static func -= (left: inout WorkAmount, right: WorkAmount) {
    left.files = max(0, left.files - right.files)
    left.unsized = max(0, left.unsized - right.unsized)
    left.bytes = max(0, left.bytes - right.bytes)
  }
}
