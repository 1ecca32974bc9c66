import Testing
import VmxModel
import VmxTestSupport

@testable import VmxSyncing

/// Responses of a real oPodSync server.
@Suite(.enabled(if: RealData.isHere, Comment(rawValue: RealData.absence)))
struct RecordedAnswerTests {
  private func body(_ name: String) throws -> [UInt8] {
    let text = try RealData.text("gpodder-api/opodsync/\(name)")
    let answer = text.split(separator: "--------\n", maxSplits: 1).last ?? ""
    guard let start = answer.firstIndex(where: { $0 == "{" || $0 == "[" || $0 == "<" }) else {
      return []
    }
    return Array(answer[start...].utf8)
  }

  @Test func `actions are read, odd ones are skipped`() throws {
    for name in ["31-actions-since0.txt", "32-actions-aggregated.txt", "74-nc-actions.txt"] {
      let page = try ActionPage(body(name))
      #expect(page.rows > 0 && page.skipped == 0, "\(name)")
      #expect(page.timestamp ?? 0 > 1_700_000_000)
    }
    let odd = try ActionPage(body("46-actions-read-back.txt"))
    #expect(odd.actions.contains { $0.kind == .play && $0.position == 30_000 })
    #expect(odd.actions.contains { $0.kind == .play && $0.position == nil && $0.total == nil })
  }

  @Test func `subscriptions and receipts are read`() throws {
    let changes = try SubscriptionChanges(body("13-subs-since0.txt"))
    #expect(changes.added.last == "http://127.0.0.1:8411/other.xml?token=abc")
    #expect(changes.removed == ["http://127.0.0.1:8411/x.xml"])
    _ = try SubscriptionChanges(body("71-nc-subs.txt"))
    #expect(try UploadReceipt(body("30-actions-post.txt")).renamed.isEmpty)
    #expect(try UploadReceipt(body("73-nc-action-create.txt")).timestamp != nil)
  }
}
