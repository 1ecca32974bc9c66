import Testing
import VmxModel
import VmxStore

@testable import VmxSyncing

/// The subscriptions of the library and of the server.
struct SubscriptionMergeTests {
  private var state = SyncState(
    of: SyncAccount(
      url: "http://s", dialect: .gpodder, user: "u", secret: "1", device: "vmx-1",
      since: Timestamp(seconds: 0)))

  private func feed(_ name: String, isPaused: Bool = false) -> Subscription {
    var feed = Subscription(id: name, url: "http://a/\(name)", title: name)
    feed.isPaused = isPaused
    return feed
  }

  private func changes(add: [String] = [], remove: [String] = []) -> SubscriptionChanges {
    var changes = SubscriptionChanges()
    (changes.added, changes.removed) = (
      add.map { "http://a/\($0)" }, remove.map { "http://a/\($0)" }
    )
    return changes
  }

  private func upload(_ feeds: [Subscription], _ state: SyncState) -> SubscriptionUpload {
    SubscriptionUpload(feeds, state, allowsSecrets: false) { $0.url }
  }

  @Test func `the first sync takes what is there and sends what is here`() {
    let merge = SubscriptionMerge(
      changes(add: ["x", "y"], remove: ["z"]), isWhole: true, feeds: [feed("y"), feed("z")], state)
    #expect(merge.added == ["http://a/x"])
    #expect(merge.paused.isEmpty)
    var state = state
    state.known = merge.known + merge.added
    let upload = upload([feed("x"), feed("y"), feed("z")], state)
    #expect(upload.added == ["http://a/z"])
    #expect(upload.removed.isEmpty)
  }

  @Test mutating func `a removal elsewhere pauses, an addition elsewhere resumes`() {
    state.known = ["http://a/x"]
    let merge = SubscriptionMerge(
      changes(add: ["y"], remove: ["x"]), isWhole: false,
      feeds: [feed("x"), feed("y", isPaused: true)], state)
    #expect(merge.paused == ["x"])
    #expect(merge.resumed == ["y"])
    state.known = merge.known
    #expect(upload([feed("x", isPaused: true), feed("y")], state).isEmpty)
  }

  @Test mutating func `a removal here is sent, and its own echo changes nothing`() {
    state.known = ["http://a/x"]
    #expect(upload([], state).removed == ["http://a/x"])
    state.known = []
    let merge = SubscriptionMerge(
      changes(remove: ["x"]), isWhole: false, feeds: [feed("x")], state)
    #expect(merge.paused.isEmpty)
  }

  @Test mutating func `a feed that was removed here does not come back by a repeated answer`() {
    state.known = ["http://a/x"]
    let merge = SubscriptionMerge(changes(add: ["x"]), isWhole: false, feeds: [], state)
    #expect(merge.added.isEmpty)
  }

  @Test mutating func `what a whole list lacks was removed`() {
    state.known = ["http://a/x", "http://a/y"]
    let merge = SubscriptionMerge(
      changes(add: ["y"]), isWhole: true, feeds: [feed("x"), feed("y")], state)
    #expect(merge.paused == ["x"])
  }

  // Regression: the subscriptions would all have ended, or were never sent again.
  @Test(arguments: [[], ["other"]])
  func `a server that lost its data gets the subscriptions again`(_ there: [String]) {
    var state = state
    state.known = ["http://a/x", "http://a/y"]
    let merge = SubscriptionMerge(
      changes(add: there), isWhole: true, feeds: [feed("x"), feed("y")], state)
    #expect(merge.paused.isEmpty)
    state.known = merge.known
    #expect(upload([feed("x"), feed("y")], state).added == ["http://a/x", "http://a/y"])
  }

  // Regression: the feed was followed twice.
  @Test(arguments: ["https://a/x", "http://a/x/", "https://a/x/", "feed://a/x"])
  func `scheme and last slash do not distinguish feeds`(_ address: String) {
    var there = SubscriptionChanges()
    there.added = [address]
    let merge = SubscriptionMerge(there, isWhole: false, feeds: [feed("x")], state)
    #expect(merge.added.isEmpty)
    var state = state
    state.known = merge.known
    #expect(upload([feed("x")], state).isEmpty)
  }

  @Test mutating func `an address that the server has cleaned stays the feed's`() {
    state.apply(["http://a/x": "http://b/x", "http://a/y": ""], of: ["http://a/x", "http://a/y"])
    #expect(state.known == ["http://b/x"])
    #expect(upload([feed("x"), feed("y")], state).isEmpty)
    let merge = SubscriptionMerge(
      {
        var all = SubscriptionChanges(); all.removed = ["http://b/x"]; return all
      }(),
      isWhole: false, feeds: [feed("x")], state)
    #expect(merge.paused == ["x"])
  }

  @Test mutating func `a private address that the server has cleaned stays the feed's`() throws {
    let sent = "http://anna:wonder-1@a/"
    state.apply(
      ["\(sent)x": "http://anna:wonder-1@b/x", "\(sent)y": "", "\(sent)z": "http://a/z"],
      of: ["\(sent)x", "\(sent)y", "\(sent)z"])
    #expect(Set(state.known) == ["http://b/x", "http://a/z"])
    #expect(state.renamed == ["http://a/x": "http://b/x"])
    #expect(state.address(of: feed("x")) == "http://b/x")
    #expect(upload([feed("x"), feed("y"), feed("z")], state).isEmpty)
    var fields: [UInt8] = []
    JSONWriter.append(state.stored.fields, to: &fields)
    #expect(!String(decoding: fields, as: UTF8.self).contains("wonder"))
  }

  @Test mutating func `an address that the server changes twice stays the feed's`() {
    state.apply(["http://a/x": "http://b/x"], of: ["http://a/x"])
    state.apply(["http://b/x": "http://c/x"], of: ["http://b/x"])
    #expect(state.known == ["http://c/x"])
    #expect(upload([feed("x")], state).isEmpty)
    state.apply(["http://c/x": ""], of: ["http://c/x"])
    #expect(state.known.isEmpty)
    #expect(upload([feed("x")], state).isEmpty)
  }

  @Test mutating func `a new address that is no URL brings no password into the record`() {
    state.apply(["http://a/x": "http://anna:wonder-1@b c/x"], of: ["http://a/x"])
    #expect(!"\(state)".contains("wonder"))
  }

  @Test func `user and password of an address are not recorded`() {
    var there = SubscriptionChanges()
    there.added = ["http://anna:pass@a/x"]
    let merge = SubscriptionMerge(there, isWhole: false, feeds: [feed("x")], state)
    #expect(merge.known == ["http://a/x"])
    #expect(merge.added.isEmpty)
  }

  @Test(arguments: [(1, 1, false), (2, 3, true), (2, 4, false), (10, 40, false), (11, 40, true)])
  func `more than ten, or more than half, are many`(_ ended: Int, _ all: Int, _ isBulk: Bool) {
    #expect(SubscriptionMerge.isBulk(ended, of: all) == isBulk)
  }
}

/// The bytes of the records of the sync and of reports.
struct SyncRecordTests {
  private let account = SyncAccount(
    url: "http://s", dialect: .gpodder, user: "u", secret: "1", device: "vmx-1",
    since: Timestamp(seconds: 0))

  private func text(_ record: StoredRecord) -> String {
    var bytes: [UInt8] = []
    JSONWriter.append(record.fields, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func `the state of a sync is written with the bytes of earlier versions`() {
    var state = SyncState(of: account)
    let id = state.account
    #expect(
      text(state.stored)
        == #"{"account":"\#(id)","actions_since":0,"subscriptions_since":0,"known":[]}"#)
    (state.synced, state.lastLookback) = (Timestamp(seconds: 0), Timestamp(seconds: 1))
    (state.actionsSince, state.subscriptionsSince) = (3, 4)
    (state.known, state.renamed, state.refused) = (["a"], ["b": "c", "a": "d"], ["e"])
    state.unmatched = 5
    #expect(
      text(state.stored)
        == #"{"account":"\#(id)","synced":"1970-01-01T00:00:00.000Z","#
        + #""looked_back":"1970-01-01T00:00:01.000Z","actions_since":3,"subscriptions_since":4,"#
        + #""known":["a"],"renamed":{"a":"d","b":"c"},"refused":["e"],"unmatched":5}"#)
    #expect(SyncState(of: account, state.stored) == state)
  }

  @Test func `the state of another account does not count`() {
    var state = SyncState(of: account)
    state.unmatched = 5
    let other = SyncAccount(
      url: "http://t", dialect: .gpodder, user: "u", secret: "1", device: "vmx-1",
      since: Timestamp(seconds: 0))
    #expect(SyncState(of: other, state.stored).unmatched == 0)
  }

  @Test func `the state of reports is written with the bytes of earlier versions`() {
    var state = ReportState()
    #expect(text(state.stored) == "{}")
    (state.failures, state.until, state.isRequested) = (2, Timestamp(seconds: 0), true)
    (state.refused, state.tried) = (3, 4)
    #expect(
      text(state.stored)
        == #"{"failures":2,"until":"1970-01-01T00:00:00.000Z","asked":true,"refused":3,"tried":4}"#)
    #expect(ReportState(state.stored) == state)
  }
}
