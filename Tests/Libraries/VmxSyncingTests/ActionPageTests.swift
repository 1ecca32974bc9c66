import Testing
import VmxModel

@testable import VmxSyncing

/// Responses of servers, with the differences between real ones.
struct ActionPageTests {
  private func page(_ rows: String, timestamp: String = "1700000000") throws -> ActionPage {
    try ActionPage(Array(#"{"actions":[\#(rows)],"timestamp":\#(timestamp)}"#.utf8))
  }

  private func row(_ more: String) -> String {
    #"{"podcast":"http://a/f","episode":"http://a/1.mp4",\#(more)}"#
  }

  @Test(arguments: [
    "2024-05-01T10:00:00", "2024-05-01T10:00:00Z", "2024-05-01T12:00:00+02:00",
    "2024-05-01T10:00:00.123456", "2024-05-01 10:00:00",
  ])
  func `a time is read with and without a zone`(_ time: String) throws {
    let page = try page(row(#""action":"new","timestamp":"\#(time)""#))
    #expect(page.actions.first?.at.seconds == 1_714_557_600)
  }

  @Test(arguments: ["play", "PLAY", "Play"])
  func `the case of an action does not matter`(_ name: String) throws {
    let page = try page(
      row(#""action":"\#(name)","timestamp":"2024-05-01T10:00:00","position":120,"total":500"#))
    let action = try #require(page.actions.first)
    #expect(action.kind == .play)
    #expect((action.position, action.total) == (120_000, 500_000))
  }

  @Test(arguments: ["-1", "null", "\"x\"", "1e300", "99999999999"])
  func `a position that tells nothing is unknown`(_ value: String) throws {
    let page = try page(
      row(#""action":"play","timestamp":"2024-05-01T10:00:00","position":\#(value),"total":-1"#))
    #expect(page.actions.first?.position == nil)
    #expect(page.actions.first?.total == nil)
    #expect(page.skipped == 0)
  }

  @Test func `a position with a fraction is cut`() throws {
    let page = try page(
      row(#""action":"play","timestamp":"2024-05-01T10:00:00","position":30.5"#))
    #expect(page.actions.first?.position == 30_000)
  }

  @Test(arguments: [
    "7", "[]", "{}",
    #"{"podcast":"x","episode":"","action":"new","timestamp":"2024-05-01T10:00:00"}"#,
    #"{"podcast":"x","episode":"y","action":"sneeze","timestamp":"2024-05-01T10:00:00"}"#,
    #"{"podcast":"x","episode":"y","action":"new","timestamp":"gestern"}"#,
    #"{"podcast":"x","episode":"y","action":"new"}"#,
  ])
  func `an odd row is skipped and counted, and the others are read`(_ odd: String) throws {
    let good = row(#""action":"delete","timestamp":"2024-05-01T10:00:00""#)
    let page = try page("\(odd),\(good)")
    #expect(page.actions.map(\.kind) == [.delete])
    #expect((page.skipped, page.rows) == (1, 2))
  }

  @Test(arguments: ["", "<html></html>", "[]", "{}", #"{"actions":{}}"#, #"{"actions":[}"#])
  func `an answer of another form is refused`(_ text: String) {
    #expect(throws: Failure.unreadableSync) { try ActionPage(Array(text.utf8)) }
  }

  @Test func `an address that was added and removed is removed, blanks are cut`() throws {
    let changes = try SubscriptionChanges(
      Array(#"{"add":["http://a/x\n","http://a/y"," http://a/x"],"remove":["http://a/y"]}"#.utf8))
    #expect(changes.added == ["http://a/x"])
    #expect(changes.removed == ["http://a/y"])
    #expect(changes.timestamp == nil)
  }

  @Test func `the addresses that a server has changed are told with its receipt`() throws {
    let receipt = try UploadReceipt(
      Array(
        #"{"timestamp":5,"update_urls":[["HTTP://A/","http://a/"],["x",""],["y"],7,["z","z"]]}"#
          .utf8))
    #expect(receipt.renamed == ["HTTP://A/": "http://a/", "x": ""])
    #expect(try UploadReceipt([]).renamed.isEmpty)
    #expect(throws: Failure.unreadableSync) { try UploadReceipt(Array("<p>ok".utf8)) }
  }

  @Test func `a play is sent in whole seconds, and only a play has a position`() {
    var action = SyncAction(
      .play, podcast: "http://a/f", episode: "http://a/1.mp4",
      at: Timestamp(milliseconds: 1_714_557_600_999))
    (action.position, action.total) = (120_999, 500_500)
    let row = action.row(device: "vmx-1")
    #expect(row["timestamp"] == "2024-05-01T10:00:00")
    #expect([row["started"], row["position"], row["total"]] == [0, 120, 500])
    action.kind = .new
    #expect(action.row(device: "vmx-1")["position"] == nil)
  }

  @Test(arguments: [
    ("alice", "alice", false), ("alice__abcdef0123", "alice", true), ("a__b", "a__b", false),
    ("__abcdef0123", "__abcdef0123", false),
  ])
  func `a name that is a token is shown without it`(
    _ name: String, _ shown: String, _ isToken: Bool
  ) {
    #expect(SyncAccount.shown(user: name) == shown)
    #expect(SyncAccount.isToken(name) == isToken)
  }
}
