import Synchronization
import Testing
import VmxDigest
import VmxEngine
import VmxLibraryTestSupport
import VmxModel
import VmxStore
import VmxTestSupport

@testable import VmxLicence

@Suite struct LicenceMachineTests {
  private static let status = LicenceFixtures.documents["01-valid.status.json"] ?? ""
  private static let newer = LicenceFixtures.documents["09-newer.status.json"] ?? ""
  private static let newerLicence = LicenceFixtures.documents["09-newer.lcpl"] ?? ""

  @Test func `every state has an action or is final`() {
    let table = LicenceMachine.machine.table.outcomes
    for state in LicenceState.allCases { #expect((table[state] == nil) == state.awaitsEvent) }
    #expect(table.values.allSatisfy { !$0.contains(.waiting) && !$0.contains(.checking) })
  }

  @Test func `a licence is recorded without a request to its provider`() throws {
    let licensed = try LicensedLibrary()
    let episode = try #require(try licensed.episode)
    #expect(licensed.provider.asked == [])
    #expect(episode.licence?.state == .usable)
    #expect(episode.expires?.text == "2099-12-31T23:59:59.000Z")
    #expect(try licensed.record?.statusURL == "https://licence.example/licenses/x/status")
  }

  @Test(arguments: [
    "", "{\"id\":", "<html></html>", "07-unknown-status.status.json", "404", "down",
  ])
  func `an unavailable or unreadable status blocks nothing`(answer: String) throws {
    let licensed = try LicensedLibrary()
    licensed.provider.set { script in
      script.documents["status"] = LicenceFixtures.documents[answer] ?? answer
      if answer == "404" { script.refusals["status"] = 404 }
      if answer == "down" { script.failing = ["status"] }
    }
    let outcome = try licensed.service.refresh(licensed.id)
    #expect(outcome.reconciliation.state == .usable)
    #expect(outcome.notes.count == 1)
    #expect(outcome.refusal == nil)
    #expect(try licensed.service.admitPlay(of: licensed.id).count == 1)
  }

  @Test func `the status of another licence is refused`() throws {
    let licensed = try LicensedLibrary()
    licensed.provider.set { $0.documents["status"] = LicenceFixtures.status("lic-02", "revoked") }
    #expect(try licensed.service.refresh(licensed.id).reconciliation.state == .usable)
    #expect(try licensed.record?.backend == nil)
  }

  @Test func `a newer licence replaces the file byte for byte`() throws {
    let licensed = try LicensedLibrary()
    licensed.provider.set { script in
      script.documents = ["status": Self.newer, "x": Self.newerLicence]
    }
    let outcome = try licensed.service.refresh(licensed.id)
    #expect(licensed.provider.asked == ["get status", "get x"])
    #expect(outcome.episode.expires?.text == "2100-01-15T00:00:00.000Z")
    #expect(try licensed.library.scratch.text(LicensedLibrary.key) == Self.newerLicence)
    let part = try #require(outcome.episode.parts.first { $0.role == .key })
    #expect(part.size?.bytes == Int64(Self.newerLicence.utf8.count))
  }

  // Regression: the size and the SHA-256 of the file followed in a second transaction. After a kill
  // in between, the key counted as damaged, and the same document changed nothing any more.
  @Test func `a licence from the user and its file are recorded in one transaction`() throws {
    let licensed = try LicensedLibrary()
    let before = try licensed.storedLines
    let bytes = Array(Self.newerLicence.utf8)
    #expect(try licensed.service.replace(with: bytes, of: licensed.id))
    let added = try licensed.storedLines.dropFirst(before.count)
    #expect(added.filter { $0.contains(#""kind":"episode""#) }.count == 1)
    let part = try #require(try licensed.episode?.parts.first { $0.role == .key })
    #expect(part.size?.bytes == Int64(bytes.count))
    #expect(part.sha256 == DigestHasher.sha256(of: bytes))
    #expect(try licensed.episode?.expires?.text == "2100-01-15T00:00:00.000Z")
  }

  @Test(arguments: [
    "", LicenceFixtures.documents["07-wrong-id.lcpl"] ?? "",
    LicenceFixtures.documents["07-truncated.lcpl"] ?? "",
    LicenceFixtures.licence("lic-01", updated: "2023-01-01T00:00:00Z"),
    LicenceFixtures.licence(
      "lic-01", updated: "2025-01-01T00:00:00Z", provider: "https://other.example"),
  ])
  func `a different, older or malformed licence is refused and the present one is kept`(
    answer: String
  ) throws {
    let licensed = try LicensedLibrary()
    let before = try licensed.library.scratch.text(LicensedLibrary.key)
    licensed.provider.set { $0.documents = ["status": Self.newer, "x": answer] }
    let outcome = try licensed.service.refresh(licensed.id)
    #expect(outcome.reconciliation.state == .usable)
    #expect(outcome.notes.count == 1)
    #expect(try licensed.library.scratch.text(LicensedLibrary.key) == before)
  }

  @Test func `a withdrawn licence ends at the time when the withdrawal was noticed`() throws {
    let licensed = try LicensedLibrary()
    licensed.provider.set {
      $0.documents["status"] = LicenceFixtures.documents["04-revoked.status.json"]
    }
    let now = licensed.library.clock.now
    _ = try licensed.service.refresh(licensed.id)
    licensed.library.clock.advance(milliseconds: 60_000)
    _ = try licensed.service.refresh(licensed.id)
    let episode = try #require(try licensed.episode)
    #expect(episode.licence?.state == .revoked)
    #expect(episode.expires == now)
    #expect(code { try licensed.service.admitPlay(of: licensed.id) } == .licenceEnded)
  }

  @Test(arguments: [PendingCall.Kind.renew, .returnLicence])
  func `the intent of a call is durable before the call`(kind: PendingCall.Kind) throws {
    let licensed = try LicensedLibrary()
    let seen = Mutex<LicenceRecord?>(nil)
    let library = licensed.library
    let id = licensed.id
    licensed.provider.set { script in
      script.documents["status"] = Self.status
      script.meanwhile = { name in
        guard name == kind.rawValue else { return }
        let record = try library.again().snapshot().licence(of: id)
        seen.withLock { $0 = record }
      }
    }
    _ = try licensed.service.refresh(licensed.id, requestedCall: PendingCall(kind))
    let record = try #require(seen.withLock { $0 })
    #expect(record.state == (kind == .renew ? .renewing : .returning))
    #expect(record.local.call?.kind == kind)
    // This shows that a renewal has had its effect, even if the response is lost.
    #expect(
      kind != .renew || record.local.call?.seen?.text == "2024-03-01T09:00:00.000Z")
  }

  @Test func `a renewal whose response was lost is not repeated`() throws {
    let licensed = try LicensedLibrary()
    licensed.provider.set { script in
      script.documents["status"] = Self.status
      script.failing = ["renew"]
    }
    let outcome = try licensed.service.refresh(licensed.id, requestedCall: PendingCall(.renew))
    #expect(outcome.record.state == .waiting)
    #expect(outcome.refusal?.code == .hostUnreachable)
    // The request nevertheless had its effect.
    licensed.provider.set { script in
      script.documents = ["status": Self.newer, "x": Self.newerLicence]
      script.failing = []
    }
    let after = try licensed.service.refresh(licensed.id)
    #expect(licensed.provider.asked.filter { $0 == "put renew" }.count == 1)
    #expect(after.refusal == nil && after.record.local.call == nil)
    #expect(after.reconciliation.ends?.text == "2100-01-15T00:00:00.000Z")
  }

  @Test func `a renewal without effect is repeated after a status request`() throws {
    let licensed = try LicensedLibrary()
    licensed.provider.set { script in
      script.documents["status"] = Self.status
      script.failing = ["renew"]
    }
    _ = try licensed.service.refresh(licensed.id, requestedCall: PendingCall(.renew))
    licensed.provider.set { script in
      script.failing = []
      script.documents["renew"] = Self.newer
      script.documents["x"] = Self.newerLicence
    }
    let after = try licensed.service.refresh(licensed.id)
    #expect(
      licensed.provider.asked == [
        "get status", "put renew", "get status", "put renew", "get x",
      ])
    #expect(after.record.local.call == nil && after.refusal == nil)
  }

  @Test func `a refused renewal does not change the licence`() throws {
    let licensed = try LicensedLibrary()
    licensed.provider.set { script in
      script.documents = [
        "status": Self.status,
        "renew": LicenceFixtures.documents["06-renew-date.problem.json"] ?? "",
      ]
      script.refusals["renew"] = 403
    }
    let outcome = try licensed.service.refresh(licensed.id, requestedCall: PendingCall(.renew))
    #expect(outcome.refusal?.code == .licenceRefused)
    #expect(outcome.reconciliation.state == .usable && outcome.record.local.call == nil)
  }

  @Test func `a refusal with a time is waited for until then`() throws {
    let licensed = try LicensedLibrary()
    licensed.provider.set { script in
      script.documents = [
        "status": Self.newer,
        "x": LicenceFixtures.documents["06-downloads-used-up.problem.json"] ?? "",
      ]
      script.refusals["x"] = 403
    }
    let outcome = try licensed.service.refresh(licensed.id)
    #expect(outcome.refusal?.code == .licenceUsedUp)
    #expect(outcome.refusal?.retryAt?.text == "2099-03-01T00:00:00.000Z")
  }

  @Test(arguments: [("already", LicenceState.returned), ("expired", .expired)])
  func `a return refused as already done counts as done`(type: String, state: LicenceState) throws {
    let licensed = try LicensedLibrary()
    licensed.provider.set { script in
      script.documents = [
        "status": LicenceFixtures.status(
          "lic-01", "active", links: [LicenceFixtures.newest, LicenceFixtures.returnLicence]),
        "return": LicenceFixtures.documents["06-return-\(type).problem.json"] ?? "",
      ]
      script.refusals["return"] = 403
    }
    let outcome = try licensed.service.refresh(
      licensed.id, requestedCall: PendingCall(.returnLicence))
    #expect(outcome.refusal == nil)
    #expect(outcome.reconciliation.state == state)
  }

  @Test func `a return is stored while the provider is unreachable`() throws {
    let licensed = try LicensedLibrary()
    licensed.provider.set { $0.failing = ["status"] }
    let outcome = try licensed.service.refresh(
      licensed.id, requestedCall: PendingCall(.returnLicence))
    #expect(outcome.record.state == .waiting && outcome.reconciliation.state == .usable)
    licensed.provider.set { script in
      script.failing = []
      script.documents = [
        "status": Self.status, "return": LicenceFixtures.documents["05-returned.status.json"] ?? "",
      ]
    }
    let after = try licensed.service.refresh(licensed.id)
    #expect(after.reconciliation.state == .returned && after.isReturned)
  }

  @Test func `actions that the provider does not link are not offered`() throws {
    let licensed = try LicensedLibrary()
    licensed.provider.set { $0.documents["status"] = LicenceFixtures.status("lic-01", "active") }
    for kind in [PendingCall.Kind.renew, .returnLicence] {
      let outcome = try licensed.service.refresh(licensed.id, requestedCall: PendingCall(kind))
      #expect(outcome.refusal?.code == .licenceNotOffered)
    }
    #expect(Set(licensed.provider.asked) == ["get status"])
  }

  @Test func `links that leave https, or lead to files, are never requested`() throws {
    let licensed = try LicensedLibrary()
    licensed.provider.set {
      $0.documents["status"] = LicenceFixtures.documents["07-evil-links.status.json"]
    }
    _ = try licensed.service.admitPlay(of: licensed.id)
    #expect(licensed.provider.asked == ["get status"])
  }

  @Test func `the first play registers the device, and the next one does not`() throws {
    let licensed = try LicensedLibrary("02-firstplay-before.lcpl")
    licensed.provider.set { script in
      script.documents = [
        "status": LicenceFixtures.documents["02-firstplay-before.status.json"] ?? "",
        "register": LicenceFixtures.status(
          "lic-02", "active", links: [LicenceFixtures.newest], registered: ["x"]),
      ]
    }
    _ = try licensed.service.admitPlay(of: licensed.id)
    #expect(licensed.provider.asked == ["get status", "post register"])
    _ = try licensed.service.admitPlay(of: licensed.id)
    #expect(licensed.provider.asked.count == 2)
    let record = try #require(try licensed.record)
    #expect(record.local.registered != nil && record.local.played != nil)
    #expect(try licensed.episode?.expires?.text == "2026-11-25T12:00:00.000Z")
  }

  @Test func `a first play without a network is registered later`() throws {
    let licensed = try LicensedLibrary("02-firstplay-before.lcpl")
    licensed.provider.set { $0.failing = ["status"] }
    let played = licensed.library.clock.now
    _ = try licensed.service.admitPlay(of: licensed.id)
    licensed.library.clock.advance(milliseconds: 3_600_000)
    licensed.provider.set { script in
      script.failing = []
      script.documents["status"] = LicenceFixtures.documents["02-firstplay-before.status.json"]
      script.documents["register"] = LicenceFixtures.status("lic-02", "active")
    }
    _ = try licensed.service.refresh(licensed.id)
    let record = try #require(try licensed.record)
    #expect(record.local.played == played && record.local.registered != nil)
    // The period begins with the playback, not with the report.
    #expect(try licensed.episode?.expires == played.adding(milliseconds: 172_800_000))
  }

  @Test func `a registration whose response was lost is not repeated`() throws {
    let licensed = try LicensedLibrary("02-firstplay-before.lcpl")
    let before = LicenceFixtures.documents["02-firstplay-before.status.json"] ?? ""
    licensed.provider.set { script in
      script.documents["status"] = before
      script.failing = ["register"]
    }
    _ = try licensed.service.admitPlay(of: licensed.id)
    let device = try licensed.library.store.secrets.device(
      for: "https://provider.example", on: "machine-1")
    licensed.provider.set { script in
      script.documents["status"] = LicenceFixtures.status(
        "lic-02", "active", links: [LicenceFixtures.newest, LicenceFixtures.register],
        registered: [device])
    }
    _ = try licensed.service.refresh(licensed.id)
    #expect(licensed.provider.asked.filter { $0 == "post register" }.count == 1)
    #expect(try licensed.record?.local.registered != nil)
  }

  @Test func `a provider with another clock removes nothing by time`() throws {
    let licensed = try LicensedLibrary("03-expired.lcpl")
    #expect(try licensed.episode.map { EpisodeSummary($0).removalTime(grace: 0) } != nil)
    licensed.provider.set { script in
      script.documents["status"] = LicenceFixtures.status("lic-03", "active")
      script.date = licensed.library.clock.now.adding(milliseconds: -7_200_000)
    }
    let outcome = try licensed.service.refresh(licensed.id)
    #expect(outcome.reconciliation.state == .usable)
    #expect(outcome.reconciliation.reason.phrase().contains("the clock is suspect"))
    #expect(EpisodeSummary(outcome.episode).removalTime(grace: 0) == nil)
    // A playback needs the clock, since the licence has an end.
    #expect(code { try licensed.service.admitPlay(of: licensed.id) } == .clockSuspect)
  }

  @Test func `a clock that disagrees with the store ends no licence`() throws {
    let licensed = try LicensedLibrary()
    licensed.library.clock.advance(milliseconds: 500 * 86_400_000)
    #expect(try licensed.service.refresh(licensed.id).reconciliation.state == .usable)
    #expect(code { try licensed.service.admitPlay(of: licensed.id) } == .clockSuspect)
  }

  @Test func `a key of another kind is not a licence`() throws {
    let licensed = try LicensedLibrary("opaque bytes")
    #expect(try licensed.episode?.licence == nil)
    #expect(code { try licensed.service.refresh(licensed.id) } == .licenceMissing)
    #expect(try licensed.service.admitPlay(of: licensed.id) == [])
  }

  @Test func `an invalid licence document is reported`() throws {
    let scratch = try LicensedLibrary("opaque bytes")
    let broken = LicenceFixtures.documents["07-no-links.lcpl"] ?? ""
    try scratch.library.scratch.write(LicensedLibrary.key, broken)
    #expect(code { try scratch.service.adopt(scratch.id) } == .notALicence)
    #expect(code { try scratch.service.admitPlay(of: scratch.id) } == .notALicence)
  }

  @Test func `a renewal after the removal reports that files must be fetched again`() throws {
    let licensed = try LicensedLibrary()
    try licensed.library.remove(licensed.id, .expired)
    licensed.provider.set { script in
      script.documents = ["status": Self.newer, "x": Self.newerLicence]
    }
    let outcome = try licensed.service.refresh(licensed.id)
    #expect(outcome.episode.expires?.text == "2100-01-15T00:00:00.000Z")
    #expect(outcome.notes.contains { $0.contains("must be fetched again") })
  }

  @Test func `a device has a separate id for each provider and machine`() throws {
    let library = try LicensedLibrary().library
    let secrets = library.store.secrets
    let first = try secrets.device(for: "https://a.example", on: "m1")
    #expect(try library.again().secrets.device(for: "https://a.example", on: "m1") == first)
    #expect(try secrets.device(for: "https://b.example", on: "m1") != first)
    #expect(try secrets.device(for: "https://a.example", on: "m2") != first)
    #expect(try secrets.device(for: "https://a.example", on: "m1") == first)
    let text = try library.scratch.text("home/secrets.jsonl")
    #expect(!text.contains("\"m1\"") && !text.contains("\"m2\""))
  }

  @Test func `a record is restored from the store, with its backend and its call`() throws {
    let licensed = try LicensedLibrary()
    licensed.provider.set { script in
      script.documents["status"] = Self.status
      script.failing = ["renew"]
    }
    let end = try #require(Timestamp("2099-12-31T23:59:59Z")).adding(milliseconds: 1000)
    let outcome = try licensed.service.refresh(
      licensed.id, requestedCall: PendingCall(.renew, end: end))
    #expect(try licensed.record == outcome.record)
  }
}
