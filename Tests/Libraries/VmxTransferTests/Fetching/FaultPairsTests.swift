import Testing
import VmxModel
import VmxTestSupport
import VmxTransfer

/// Every pair of faults, in the middle of a fetch. A received file must be complete, temporary
/// faults must not make the fetch fail, and permanent ones must end it immediately.
@Suite struct FaultPairsTests {
  /// Each fault affects one response, and the next one is correct again. (Stalls take a second and
  /// more; they are tested one by one.)
  private static let passing = [
    "cut:150000", "cut:0", "reset:150000", "drop", "drop-reset", "status:503", "status:429",
    "status:500", "garbage", "no-http", "cut-head:40", "etag-rotate", "etag-none", "etag-weak",
    "no-validators", "modified-now", "swap", "if-range-ignored", "range-ignored", "range-416",
    "range-shift:-10", "range-shift:10", "range-short:50000", "range-total:5", "range-star",
    "content-range:-", "multipart", "chunked", "chunked-open", "chunked-broken:150000", "no-length",
    "http10", "length-twice", "length-off:10", "empty", "page", "page:video/mp4", "coding:gzip",
    "digest:wrong", "type:image/png", "close", "big-head:60000", "hints",
  ]
  /// Each fault is permanent behaviour of a server.
  private static let lasting = [
    "etag-rotate", "etag-weak", "no-validators", "range-ignored", "chunked", "if-range-ignored",
    "http10", "no-length",
  ]
  /// The faults after which the fetch continues in another way.
  private static let telling = [
    "cut:150000", "garbage", "swap", "range-ignored", "range-416", "range-shift:10", "page",
  ]
  /// The responses that no later request changes.
  private static let final = [
    "status:400", "status:401", "status:403", "status:404", "status:410", "status:451",
  ]

  /// Fetches under each plan, and describes the outcomes that are not a complete version of the
  /// file.
  private static func faults(of plans: [[String]]) throws -> String {
    try FaultTrial.outcomes(of: plans).filter { outcome in
      let hasSecond = outcome.plan.contains { $0.contains("swap") }
      return outcome.end != .whole(version: 0) && !(hasSecond && outcome.end == .whole(version: 1))
    }.map(\.words).joined(separator: "\n")
  }

  @Test func `a cut, then two faults at once`() throws {
    let plans = Self.telling.flatMap { first in
      Self.passing.filter { $0 != first }.map { second in
        ["cut:100000 times 1", "\(first) \(second) after 1 times 1"]
      }
    }
    let found = try Self.faults(of: plans)
    #expect(found == "", "\(found)")
  }

  @Test func `a cut, then one fault after the other`() throws {
    let plans = Self.telling.flatMap { first in
      // Two pages in a row are accepted as the actual response.
      Self.passing.filter { !$0.hasPrefix(first) }.map { second in
        ["cut:100000 times 1", "\(first) after 1 times 1", "\(second) after 2 times 1"]
      }
    }
    let found = try Self.faults(of: plans)
    #expect(found == "", "\(found)")
  }

  @Test func `a server with an unusual behaviour, a cut, then a fault`() throws {
    let plans = Self.lasting.flatMap { way in
      Self.passing.map { [way, "cut:140000 times 1", "\($0) after 1 times 1"] }
    }
    let found = try Self.faults(of: plans)
    #expect(found == "", "\(found)")
  }

  @Test func `a file replaced at a cut, then a fault`() throws {
    let plans = Self.lasting.flatMap { way in
      Self.passing.map { [way, "cut:140000 times 1", "swap after 1", "\($0) after 1 times 1"] }
    }
    let found = try Self.faults(of: plans)
    #expect(found == "", "\(found)")
  }

  @Test func `a cut, a fault, then a permanent refusal: few more requests`() throws {
    let plans = Self.final.flatMap { refusal in
      Self.passing.map { ["cut:100000 times 1", "\($0) after 1 times 1", "\(refusal) after 1"] }
    }
    let wrong = try FaultTrial.outcomes(of: plans).filter { outcome in
      guard case .failed(let code) = outcome.end,
        [.httpDenied, .httpGone, .httpRefused].contains(code)
      else { return true }
      let refusals = outcome.requests.count { (400..<500).contains($0.status ?? 0) }
      // A fault may cut the refusal itself, and a server may refuse only ranges: each costs one
      // more request.
      return refusals > 3 || outcome.requests.count > 4
    }
    #expect(wrong.map(\.words).joined(separator: "\n") == "")
  }

  @Test func `after a cut, a fault and a Retry-After no request is sent early`() throws {
    let plans = Self.passing.map {
      ["cut:100000 times 1", "\($0) after 1 times 1", "patience:1 after 2"]
    }
    // The fetches mostly sleep, so all may run at once.
    let outcomes = try FaultTrial.outcomes(of: plans, atOnce: plans.count)
    let early = outcomes.filter { $0.requests.contains(where: \.isEarly) }
    #expect(early.map(\.words).joined(separator: "\n") == "")
    let wrong = outcomes.filter { outcome in
      if case .whole = outcome.end { return false }
      return true
    }
    #expect(wrong.map(\.words).joined(separator: "\n") == "")
    #expect(outcomes.contains { outcome in outcome.requests.contains { $0.status == 429 } })
  }

  /// The behaviours of a server that may make a fetch fail, but must never corrupt the file.
  private static let hostile = [
    "digest:wrong", "gzip", "gzip no-length", "multipart", "range-shift:-10", "range-short:50000",
    "range-total:5", "content-range:-", "alternate", "modified-now etag-none", "connections:1",
    "coding:br", "length-twice", "chunked-open", "range-416", "reset:200000", "cut:200000", "page",
    "empty", "endless-head",
  ]

  @Test func `two unusual behaviours of a server, and a file replaced at a cut`() throws {
    let ways = Self.lasting + Self.hostile
    let plans = ways.indices.flatMap { first in
      ways[..<first].map {
        [
          "\(ways[first]) \($0)", "cut:140000 times 1", "cut:170000 after 1 times 1",
          "swap after 2",
        ]
      }
    }
    let wrong = try FaultTrial.outcomes(of: plans).filter { outcome in
      if case .wrong = outcome.end { return true }
      return false
    }
    #expect(wrong.map(\.words).joined(separator: "\n") == "")
  }
}
