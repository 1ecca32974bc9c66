import Testing
import VmxJSON
import VmxModel
import VmxTestSupport

@testable import VmxLicence

/// Every document of the collection, with the interpretation by a client.
@Suite struct ReconciliationTests {
  /// The time of the table: 2024 is past, and 2099 is in the future.
  private static let now = Timestamp("2026-11-23T12:00:00Z")
  private static let periods = ["https://provider.example/rights/play_period"]
  private static let base = "https://licence.example/licenses/x/status"

  /// A row: the documents, and the meaning.
  struct Row: Sendable, CustomTestStringConvertible {
    let licence: String
    var status: String?
    var isPlayed = false
    let state: LicenceState
    var calls: [Reconciliation.Call] = []
    var words: String?
    var ends: String?
    var testDescription: String { "\(licence) \(status ?? "")\(isPlayed ? " played" : "")" }

    init(
      _ licence: String, _ status: String? = nil, played: Bool = false, _ state: LicenceState,
      _ calls: [Reconciliation.Call] = [], _ words: String? = nil, ends: String? = nil
    ) {
      self.licence = licence
      self.status = status
      isPlayed = played
      self.state = state
      self.calls = calls
      self.words = words
      self.ends = ends
    }
  }

  static let rows = [
    Row("01-valid.lcpl", nil, .usable, [], "valid until 2099-12-31T23:59:59.000Z"),
    Row("01-valid.lcpl", "01-valid.status.json", .usable),
    Row("01-valid.lcpl", "01-valid.status.json", played: true, .usable, [.register]),
    Row("02-firstplay-before.lcpl", nil, .usable, [], "not started: 2d from the first play"),
    Row("02-firstplay-before.lcpl", "02-firstplay-before.status.json", .usable),
    Row(
      "02-firstplay-before.lcpl", "02-firstplay-before.status.json", played: true, .usable,
      [.register], ends: "2026-11-25T12:00:00.000Z"),
    Row("02-firstplay-before.lcpl", "02-firstplay-after.status.json", .usable, [.update]),
    Row("02-firstplay-after.lcpl", "02-firstplay-after.status.json", .expired),
    Row("03-expired.lcpl", nil, .expired, [], "expired on 2024-03-14T23:00:00.000Z"),
    Row("03-expired.lcpl", "03-expired.status.json", .expired, ends: "2024-03-14T23:00:00.000Z"),
    Row(
      "03-expired.lcpl", "03-expired-but-renewable.status.json", .renewable, [],
      "can be renewed until 2099-04-01"),
    Row(
      "01-valid.lcpl", "04-revoked.status.json", .revoked, [], "withdrawn by the provider: ",
      ends: "2026-11-23T12:00:00.000Z"),
    Row(
      "02-firstplay-before.lcpl", "05-cancelled.status.json", .revoked, [], "cancelled before use"),
    Row("01-valid.lcpl", "05-returned.status.json", .returned, [], "returned on 2026-11-23"),
    Row("05-returned.lcpl", "05-returned.status.json", .returned),
    Row("05-returned.lcpl", nil, .expired),
    Row("07-end-before-start.lcpl", nil, .expired, [], "never valid"),
    Row("07-odd-but-usual.lcpl", nil, .usable, [], "valid without end"),
    Row("07-wrong-id.lcpl", nil, .usable),
    Row("08-huge-length.lcpl", nil, .usable),
    Row("01-valid.lcpl", "07-evil-links.status.json", played: true, .usable),
    Row("01-valid.lcpl", "07-bom.status.json", .usable),
    Row("01-valid.lcpl", "08-many.status.json", .usable),
    Row("01-valid.lcpl", "08-long-message.status.json", .usable),
    Row("01-valid.lcpl", "09-newer.status.json", .usable, [.update]),
    Row(
      "01-valid.lcpl", "09-newer.status.json", played: true, .usable, [.update, .register]),
    Row("09-newer.lcpl", "09-newer.status.json", .usable, ends: "2100-01-15T00:00:00.000Z"),
    Row("01-valid.lcpl", "09-two-profiles.status.json", .usable, [.update]),
    // A status that contradicts the dates: the stricter one applies, in both directions.
    Row("03-expired.lcpl", "01-valid.status.json", .renewable),
    Row(
      "01-valid.lcpl", "03-expired.status.json", .expired, [],
      "expired on 2026-11-23T12:00:00.000Z by the provider's status"),
  ]

  /// Documents that are refused: the licence then stays unchanged, and a status counts as missing.
  static let refused = [
    "07-no-links.lcpl", "07-no-publication.lcpl", "07-no-signature.lcpl", "07-bad-dates.lcpl",
    "07-truncated.lcpl", "08-number-overflow.lcpl", "08-hostile-id.lcpl", "08-deep.json",
    "07-unknown-status.status.json", "07-no-updated-license.status.json",
    "07-duplicate-keys.status.json", "07-portal.html",
  ]

  /// Refusals, with the part of their type after Readium's prefix.
  static let problems: [String: String?] = [
    "06-renew-refused.problem.json": "renew", "06-renew-date.problem.json": "renew/date",
    "06-return-already.problem.json": "return/already",
    "06-return-expired.problem.json": "return/expired",
    "06-register-refused.problem.json": "registration", "06-no-type.problem.json": nil,
    "06-server.problem.json": "server", "06-downloads-used-up.problem.json": nil,
  ]

  @Test(arguments: rows, LicenceFixtures.Origin.allCases)
  func `a licence and a status have one state`(row: Row, origin: LicenceFixtures.Origin) throws {
    guard let licence = try origin.bytes(row.licence) else { return }
    let now = try #require(Self.now)
    var local = LocalLicence(try LicenceDocument(licence), periods: Self.periods)
    if row.isPlayed { local.played = now }
    var backend: BackendView?
    if let status = row.status, let bytes = try origin.bytes(status) {
      let document = try StatusDocument(bytes)
      backend = BackendView(document, base: try WebURL(Self.base), now: now)
    }
    let meaning = reconcile(local, backend, now: now)
    #expect(meaning.state == row.state)
    #expect(meaning.calls == row.calls)
    if let words = row.words { #expect(meaning.reason.phrase().contains(words)) }
    if let ends = row.ends { #expect(meaning.ends?.text == ends) }
  }

  @Test(arguments: refused, LicenceFixtures.Origin.allCases)
  func `an invalid document is refused`(
    name: String, origin: LicenceFixtures.Origin
  ) throws {
    guard let bytes = try origin.bytes(name) else { return }
    let refusal =
      name.hasSuffix(".lcpl")
      ? code { try LicenceDocument(bytes) } : code { try StatusDocument(bytes) }
    #expect(refusal == .notALicence)
  }

  @Test(arguments: problems.keys.sorted(), LicenceFixtures.Origin.allCases)
  func `a refusal is read even if members are missing`(
    name: String, origin: LicenceFixtures.Origin
  ) throws {
    guard let bytes = try origin.bytes(name) else { return }
    let problem = ProblemDocument(bytes)
    #expect(problem.readiumType == Self.problems[name] ?? nil)
    #expect(problem.message?.isEmpty == false)
    #expect((problem.resets != nil) == (name == "06-downloads-used-up.problem.json"))
  }

  @Test(.enabled(if: RealData.isHere, Comment(rawValue: RealData.absence)))
  func `every file of the collection has a row`() {
    let known = Set(
      Self.rows.flatMap { [$0.licence, $0.status].compactMap { $0 } } + Self.refused
        + Self.problems.keys)
    let names = RealData.names(in: "licence").filter { $0 != "README.md" }
    #expect(Set(names).subtracting(known) == [])
    #expect(Set(LicenceFixtures.documents.keys) == Set(names))
  }

  @Test func `a suspect clock neither ends nor starts a licence`() throws {
    for name in ["03-expired.lcpl", "02-firstplay-after.lcpl", "01-valid.lcpl"] {
      let document = try LicenceDocument(Array(LicenceFixtures.documents[name]?.utf8 ?? "".utf8))
      let meaning = reconcile(LocalLicence(document), nil, now: nil)
      #expect(meaning.state == .usable)
    }
  }

  @Test func `a suspect clock does not hide a withdrawal`() throws {
    let meaning = try meaning("01-valid.lcpl", "04-revoked.status.json", now: nil)
    #expect(meaning.state == .revoked)
    #expect(meaning.reason.phrase().contains("2 devices had it"))
  }

  @Test func `rights that begin later are pending until then`() throws {
    let text = LicenceFixtures.licence("lic", rights: "\"start\":\"2026-12-01T00:00:00Z\"")
    let local = LocalLicence(try LicenceDocument(Array(text.utf8)))
    let start = try #require(local.starts)
    #expect(reconcile(local, nil, now: start.adding(milliseconds: -1)).state == .pending)
    #expect(reconcile(local, nil, now: start).state == .usable)
  }

  @Test func `a period from the first play applies only under a configured name`() throws {
    let bytes = Array((LicenceFixtures.documents["02-firstplay-before.lcpl"] ?? "").utf8)
    let now = try #require(Self.now)
    var local = LocalLicence(try LicenceDocument(bytes))
    local.played = now
    #expect(reconcile(local, nil, now: now).ends?.text == "2099-12-31T23:59:59.000Z")
  }

  @Test func `the message of a provider is truncated, and links are bounded`() throws {
    func document(_ name: String) throws -> StatusDocument {
      try StatusDocument(Array((LicenceFixtures.documents[name] ?? "").utf8))
    }
    #expect(try document("08-long-message.status.json").message.count == 300)
    #expect(try document("08-many.status.json").links.count == 32)
    #expect(try document("08-many.status.json").registered.count == 1500)
  }

  @Test func `of several licences the highest known profile is chosen`() throws {
    let bytes = Array((LicenceFixtures.documents["09-two-profiles.status.json"] ?? "").utf8)
    let link = try StatusDocument(bytes).link(.licence)
    #expect(link?.href.hasSuffix("?p=basic") == true)
  }

  @Test(arguments: [
    ("PT48H", 172_800_000), ("P2D", 172_800_000), ("P1DT1H", 90_000_000), ("PT1M30S", 90_000),
    ("P1W", 604_800_000),
  ])
  func `a period is read in ISO 8601 notation`(text: String, milliseconds: Int64) {
    #expect(DurationText.milliseconds(iso8601: text) == milliseconds)
  }

  @Test(arguments: ["P", "PT", "48H", "P1M", "P1Y", "PT1H1H", "PT1S1H", "P-1D", "PT1.5H", ""])
  func `a period of another form is ignored`(text: String) {
    #expect(DurationText.milliseconds(iso8601: text) == nil)
  }

  @Test(arguments: ["01-valid.lcpl", "02-firstplay-before.lcpl", "01-valid.status.json"])
  func `a document truncated or changed anywhere is either read or refused`(name: String) {
    let bytes = Array((LicenceFixtures.documents[name] ?? "").utf8)
    func look(_ bytes: [UInt8]) {
      _ = ProblemDocument(bytes)
      #expect([nil, .notALicence].contains(code { try LicenceDocument(bytes) }))
      #expect([nil, .notALicence].contains(code { try StatusDocument(bytes) }))
    }
    for place in bytes.indices {
      look(Array(bytes[..<place]))
      for byte: UInt8 in [0, 0x22, 0x7B, 0x5D, 0x2C, 0xFF] {
        var changed = bytes
        changed[place] = byte
        look(changed)
      }
    }
  }

  private func meaning(_ licence: String, _ status: String, now: Timestamp?) throws
    -> Reconciliation
  {
    let bytes = Array((LicenceFixtures.documents[licence] ?? "").utf8)
    let document = try StatusDocument(Array((LicenceFixtures.documents[status] ?? "").utf8))
    let since = try #require(Self.now)
    let view = BackendView(document, base: try WebURL(Self.base), now: since)
    return reconcile(LocalLicence(try LicenceDocument(bytes)), view, now: now)
  }
}

/// The bytes of the licence record.
struct LicenceRecordTests {
  @Test(arguments: [
    #"{"state":"checking","licence":"l","provider":"p","changed":"2026-01-01T00:00:00.000Z"}"#,
    #"{"state":"waiting","code":"http-failing","message":"m","licence":"l","provider":"p","#
      + #""changed":"2026-01-01T00:00:00.000Z","starts":"2026-01-02T00:00:00.000Z","#
      + #""ends":"2026-01-03T00:00:00.000Z","play_period_ms":5,"#
      + #""played":"2026-01-04T00:00:00.000Z","#
      + #""registered":"2026-01-05T00:00:00.000Z","call":{"kind":"return","#
      + #""end":"2026-01-06T00:00:00.000Z","seen":"2026-01-07T00:00:00.000Z"},"#
      + #""backend":{"status":"active","message":"","licence_changed":"2026-01-08T00:00:00.000Z","#
      + #""since":"2026-01-09T00:00:00.000Z","#
      + #""potential_end":"2026-01-10T00:00:00.000Z","devices":2,"#
      + #""offers":["licence","renew-page"],"page":"https://p/"},"#
      + #""status_url":"https://s/","private":true,"seen":"2026-01-11T00:00:00.000Z","#
      + #""clock_contradicted":true}"#,
  ])
  func `a record is written with the bytes of earlier versions`(line: String) throws {
    let record = try #require(decoded(line))
    #expect(text(record) == line)
  }

  @Test func `a record survives a backend and an offer that it does not know`() throws {
    let start = #"{"licence":"l","provider":"p","changed":"2026-01-01T00:00:00.000Z","backend":"#
    let view =
      #"{"status":"new","licence_changed":"2026-01-01T00:00:00.000Z","#
      + #""since":"2026-01-01T00:00:00.000Z","#
      + #""offers":["new","renew"]}}"#
    let unknown = try #require(decoded(start + view))
    #expect(unknown.backend == nil)
    let known = try #require(
      decoded(start + view.replacing("\"status\":\"new\"", with: "\"status\":\"ready\"")))
    #expect(known.backend?.offers == [.renew])
    #expect(decoded(#"{"state":"checking","licence":"l"}"#) == nil)
  }

  private func decoded(_ line: String) -> LicenceRecord? {
    JSONParser().object(in: Array(line.utf8)).flatMap { LicenceRecord(reading: $0) }
  }

  private func text(_ record: LicenceRecord) -> String {
    var bytes: [UInt8] = []
    record.append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
