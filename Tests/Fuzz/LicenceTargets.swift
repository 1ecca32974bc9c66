import VmxLicence
import VmxModel

/// Readers of the documents of licence providers: licences, status documents, refusals and
/// templates.
enum LicenceTargets {
  static let all = [
    FuzzTarget(name: "licence", take: licence), FuzzTarget(name: "licence-status", take: status),
    FuzzTarget(name: "licence-template", take: template),
  ]

  @Sendable private static func licence(_ bytes: [UInt8]) {
    _ = ProblemDocument(bytes)
    do throws(Failure) {
      let document = try LicenceDocument(bytes)
      hold(!document.id.isEmpty && !document.provider.isEmpty, "a licence has id and provider")
      hold(document.publication != nil, "a licence names what it is for")
      let local = LocalLicence(document, periods: document.ownRights.fields.map(\.key))
      let now = Timestamp(seconds: 1_800_000_000)
      let meaning = reconcile(local, nil, now: now)
      hold(meaning.state.awaitsEvent, "a licence has a state")
      hold(
        reconcile(local, nil, now: nil).state == .usable || local.isImpossible, "no clock, no end")
      _ = meaning.reason.phrase()
      for link in document.links { check(link) }
    } catch {
      hold(error.code == .notALicence, "what is no licence says so")
    }
  }

  @Sendable private static func status(_ bytes: [UInt8]) {
    do throws(Failure) {
      let document = try StatusDocument(bytes)
      hold(document.links.count <= 32, "the links are few")
      hold(document.message.unicodeScalars.count <= 300, "the message is short")
      for link in document.links { check(link) }
    } catch {
      hold(error.code == .notALicence, "what is no status document says so")
    }
  }

  @Sendable private static func template(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    let values = ["id": "a/b?c&d é", "name": "\u{1B}"]
    guard let made = URITemplate.expanded(text, values) else { return }
    hold(text.contains("{") || made == text, "a text without variables stays")
    hold(!made.contains("a/b?c&d"), "values are encoded")
  }

  private static func check(_ link: LicenceLink) {
    do throws(Failure) {
      let base = try WebURL("https://h.example/status")
      guard let url = link.address(["id": "a"], base: base) else { return }
      hold(url.scheme == "https", "no link leaves https")
      hold(url.user == nil && url.password == nil, "no link has credentials")
    } catch {
      hold(false, "the base is an address")
    }
  }
}

extension LocalLicence {
  /// Whether its end is before its start.
  fileprivate var isImpossible: Bool {
    if let starts, let ends { ends < starts } else { false }
  }
}
