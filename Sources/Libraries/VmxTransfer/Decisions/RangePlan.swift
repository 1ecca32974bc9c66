import VmxModel

/// What is asked of a source next.
struct RangePlan: Sendable, Equatable {
  /// On what condition a range is asked for.
  enum Condition: Sendable, Equatable {
    /// No range: the whole.
    case whole
    /// Only of the version with this strong validator, else the whole (`If-Range`).
    case version(String)
    /// Whatever the version: the answer's own validators, or an overlap, must tell.
    case range
  }

  /// On what condition.
  var condition: Condition
  /// Offset of the first byte asked for.
  var start: Int64 = 0
  /// Offset after the last; nil for all there is.
  var end: Int64?
  /// Bytes at the front that are held: they are compared, not written.
  var overlap: Int64 = 0
  /// Whether nothing behind the overlap is wanted.
  var isProbe = false

  /// The whole, from its first byte.
  static let whole = RangePlan(condition: .whole)

  /// The value of `Range`; nil if the whole is asked for.
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

/// What a source has shown of how it treats ranges, in this run.
struct RangeMemory: Sendable, Equatable {
  /// It answered `If-Range` with the whole of the same version: once more without it.
  var ignoresCondition = false
  /// It answered a bare range with the whole, or wrongly twice: no more ranges.
  var hasNoRanges = false
  /// It tells another validator each time while the bytes stay the same, as machines of a cluster
  /// do that do not agree: only the bytes themselves tell its versions apart.
  var rotatesValidators = false
  /// Answers to a range that were of other bytes than asked for.
  var wrongAnswers = 0

  /// Takes note of a wrong answer; after the second, ranges are asked for no more.
  mutating func wasWrong() {
    wrongAnswers += 1
    if wrongAnswers >= 2 { hasNoRanges = true }
  }
}
