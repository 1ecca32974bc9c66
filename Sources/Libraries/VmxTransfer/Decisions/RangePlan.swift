import VmxModel

/// The next request to a source.
struct RangePlan: Sendable, Equatable {
  /// The condition of a range request.
  enum Condition: Sendable, Equatable {
    /// No range: the whole file.
    case whole
    /// The range only of the version with this strong validator, else the whole file (`If-Range`).
    case version(String)
    /// The range of any version: the response's validators or an overlap must confirm it.
    case range
  }

  /// The condition.
  var condition: Condition
  /// The offset of the first requested byte.
  var start: Int64 = 0
  /// The offset after the last requested byte; nil for the end of the file.
  var end: Int64?
  /// The number of leading bytes that are held already: they are compared, not written.
  var overlap: Int64 = 0
  /// Whether no bytes behind the overlap are requested.
  var isProbe = false

  /// A request of the whole file from its first byte.
  static let whole = RangePlan(condition: .whole)

  /// The value of `Range`; nil for a request of the whole file.
  var rangeField: String? {
    guard condition != .whole else { return nil }
    return "bytes=\(start)-\(end.map { String($0 - 1) } ?? "")"
  }

  /// The value of `If-Range`, if any.
  var ifRangeField: String? {
    if case .version(let validator) = condition { return validator }
    return nil
  }
}

/// The behaviour of a source towards range requests, as observed in this run.
struct RangeMemory: Sendable, Equatable {
  /// Whether it answered `If-Range` with the whole of the same version; the next request omits the
  /// field.
  var ignoresCondition = false
  /// Whether it answered a bare range with the whole, or wrongly twice; ranges are requested no
  /// more.
  var hasNoRanges = false
  /// Whether it sends another validator each time while the bytes stay the same, as inconsistent
  /// servers of a cluster do. Only the bytes themselves then distinguish its versions.
  var rotatesValidators = false
  /// The number of responses with other bytes than the requested range.
  var wrongAnswers = 0

  /// Records a wrong response; after the second, ranges are requested no more.
  mutating func wasWrong() {
    wrongAnswers += 1
    if wrongAnswers >= 2 { hasNoRanges = true }
  }
}
