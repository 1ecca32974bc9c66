import VmxModel

// The rule against splicing two versions, where an answer meets what is held.
//
// Whatever is written behind held bytes must come from an answer that names the same place, the
// same total and, where the version has a strong validator, that very validator. Where it has
// none, the plan carries an overlap, and the bytes themselves must agree. An answer that fails
// any of this is never written next to what is held.

/// What becomes of a usable answer (200, 206, 416) to a plan.
enum RangeDecision: Equatable {
  /// The bytes belong behind what is held: write from `start` up to `end`.
  case take(start: Int64, end: Int64)
  /// The whole comes: what is held goes, and the body is taken from its first byte.
  case startOver(Reason)
  /// Leave the answer: the next plan is another one, which costs no attempt.
  case breakOff(Next)
  /// All bytes of the source are held already.
  case isWhole
  /// The answer is wrong, in these words.
  case refuse(String)

  /// Why a body is taken from its first byte.
  enum Reason: Equatable {
    /// Nothing was held that could have been kept.
    case fresh
    /// It is another version than the one held.
    case changed
    /// The server gives no ranges.
    case noRanges
  }

  /// Whether it rests on a validator, a length or a digest that is another one.
  var isChange: Bool { self == .startOver(.changed) || self == .breakOff(.changed) }

  /// What to ask after breaking off.
  enum Next: Equatable {
    /// The range once more, without `If-Range`.
    case rangeAlone
    /// The whole: it is another version than the one held.
    case changed
    /// The whole: what is held cannot belong to the source.
    case discard
  }

  /// Decides.
  ///
  /// - Parameters:
  ///   - known: the version of the bytes held.
  ///   - held: how many bytes are held, from the first on.
  static func of(
    _ head: ResponseHead, to plan: RangePlan, known: SourceVersion, held: Int64
  ) -> RangeDecision {
    switch head.status {
    case 206: partial(head, plan, known)
    case 416: unsatisfied(head, known, held)
    default: whole(head, plan, known)
    }
  }

  private static func whole(
    _ head: ResponseHead, _ plan: RangePlan, _ known: SourceVersion
  ) -> RangeDecision {
    let agreement = known.agreement(with: head.sourceVersion)
    switch plan.condition {
    case .whole: return .startOver(.fresh)
    case .range: return .startOver(agreement == .different ? .changed : .noRanges)
    // Lengths that differ are another version already; chunked answers tell none.
    case .version: return agreement == .same ? .breakOff(.rangeAlone) : .startOver(.changed)
    }
  }

  private static func partial(
    _ head: ResponseHead, _ plan: RangePlan, _ known: SourceVersion
  ) -> RangeDecision {
    guard plan.condition != .whole else { return .refuse("a range came that was not asked for") }
    if let coding = head.contentCoding { return .refuse("a range came coded as '\(coding)'") }
    guard let field = head["content-range"],
      case .sent(let start, let end, let total) = ContentRange(field)
    else { return .refuse("no usable Content-Range") }
    guard start == plan.start else { return .refuse("byte \(start) came for \(plan.start)") }
    if let last = plan.end, end > last { return .refuse("bytes up to \(end) came for \(last)") }
    if let length = head.contentLength, length != end - start {
      return .refuse("\(length) bytes came for the range \(start)-\(end - 1)")
    }
    switch known.agreement(with: head.sourceVersion) {
    case .different: return .breakOff(.changed)
    case .same: break
    case .unknown:
      // Answered to a date in If-Range, a range need not tell the date again (RFC 9110, 15.3.7):
      // the server itself says that it is the version. An ETag must be told again; who leaves it
      // out may not even have looked at If-Range.
      let isSaid =
        switch plan.condition {
        case .version(let validator): !validator.hasPrefix("\"")
        case .range, .whole: plan.overlap > 0
        }
      guard isSaid else { return .refuse("a range came without the validator of its version") }
    }
    guard known.total != nil || total != nil || plan.end == nil else {
      return .refuse("a range came without the length of the whole")
    }
    return .take(start: start, end: end)
  }

  private static func unsatisfied(
    _ head: ResponseHead, _ known: SourceVersion, _ held: Int64
  ) -> RangeDecision {
    guard let field = head["content-range"],
      case .unsatisfied(let total) = ContentRange(field), total == held,
      known.agreement(with: head.sourceVersion) != .different
    else { return .breakOff(.discard) }
    return .isWhole
  }
}
