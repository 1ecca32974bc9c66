import VmxModel
import VmxTestSupport

/// Documents of licence providers, defined here, one for each case that a client may encounter.
///
/// Their names are those of a larger collection of such files (`RealData`, folder `licence`), so
/// that one table of expectations covers both.
enum LicenceFixtures {
  /// A folder of documents.
  enum Origin: CaseIterable, Sendable {
    /// The documents of this file.
    case own
    /// The files of the collection, if it is present.
    case collection

    /// Returns the bytes of a document; nil if it does not exist.
    func bytes(_ name: String) throws -> [UInt8]? {
      switch self {
      case .own: documents[name].map { Array($0.utf8) }
      case .collection: RealData.isHere ? try RealData.bytes("licence/\(name)") : nil
      }
    }
  }

  private static let host = "https://licence.example"
  private static let statusType = "application/vnd.readium.license.status.v1.0+json"
  private static let rightURI = "https://provider.example/rights/play_period"

  /// Returns a licence document.
  static func licence(
    _ id: String, updated: String? = nil, rights: String = "", length: String = "1055736",
    hash: String? = nil, publication: Bool = true, signature: Bool = true,
    rel: String = "\"publication\"", host: String = host,
    provider: String = "https://provider.example"
  ) -> String {
    let hashText = hash.map { ",\"hash\":\"\($0)\"" } ?? ""
    let video = """
      {"rel":\(rel),"href":"\(host)/media/film.mp4","type":"video/mp4","length":\(length)\(hashText)},
      """
    return """
      {"id":"\(id)","issued":"2024-03-01T09:00:00Z",
      \(updated.map { "\"updated\":\"\($0)\"," } ?? "")"provider":"\(provider)",
      "encryption":{"profile":"http://readium.org/lcp/basic-profile"},
      "links":[{"rel":"hint","href":"\(host)/hint"},\(publication ? video : "")
      {"rel":"status","href":"\(host)/licenses/x/status","type":"\(statusType)"}],
      "rights":{\(rights)},"user":{"id":"u-1","email":"someone@example.org"}
      \(signature ? ",\"signature\":{\"value\":\"bm9uZQ==\"}" : "")}
      """
  }

  static func link(_ rel: String, _ href: String, type: String = statusType, more: String = "")
    -> String
  {
    "{\"rel\":\"\(rel)\",\"href\":\"\(href)\",\"type\":\"\(type)\",\"templated\":\(href.contains("{"))\(more)}"
  }

  static let newest = link("license", "\(host)/licenses/x")
  static let register = link("register", "\(host)/register{?id,name}")
  static let returnLicence = link("return", "\(host)/return{?id,name}")
  static let renew = link("renew", "\(host)/renew{?end,id,name}")

  /// Returns a status document.
  static func status(
    _ id: String, _ status: String, licence: String? = "2024-03-01T09:00:00Z",
    message: String = "Words.", links: [String] = [newest], potential: String? = nil,
    registered: [String] = [], more: String = ""
  ) -> String {
    let end = potential.map { ",\"potential_rights\":{\"end\":\"\($0)\"}" } ?? ""
    let changed = licence.map { "\"license\":\"\($0)\"," } ?? ""
    let events = registered.map {
      "{\"type\":\"register\",\"id\":\"\($0)\",\"name\":\"vmx\",\"timestamp\":\"2024-03-02T10:00:00Z\"}"
    }
    return """
      {"id":"\(id)","status":"\(status)"\(more),"message":"\(message)",
      "updated":{\(changed)"status":"2024-03-02T10:00:00Z"},
      "links":[\(links.joined(separator: ","))]\(end),"events":[\(events.joined(separator: ","))]}
      """
  }

  private static func problem(_ type: String?, _ more: String = "") -> String {
    "{\(type.map { "\"type\":\"\($0)\"," } ?? "")\"title\":\"Refused.\",\"status\":403\(more)}"
  }

  private static let readium = "http://readium.org/license-status-document/error"
  private static let whole = "\"start\":\"2024-03-01T00:00:00Z\",\"end\":\"2099-12-31T23:59:59Z\""

  static let documents: [String: String] = [
    "01-valid.lcpl": licence(
      "lic-01", updated: "2024-03-01T09:00:00Z", rights: whole,
      hash: "8lsx8VWXDEYwCTS9pKds0vWBrKtFxJdigy/9/dvPn90="),
    "01-valid.status.json": status(
      "lic-01", "active", links: [newest, register, returnLicence, renew],
      potential: "2100-01-31T00:00:00Z", registered: ["5b0f"]),
    "02-firstplay-before.lcpl": licence(
      "lic-02", rights: "\"end\":\"2099-12-31T23:59:59Z\",\"\(rightURI)\":\"PT48H\""),
    "02-firstplay-before.status.json": status("lic-02", "ready", links: [newest, register]),
    "02-firstplay-after.lcpl": licence(
      "lic-02", updated: "2024-03-05T20:15:00Z",
      rights: "\"start\":\"2024-03-05T20:15:00Z\",\"end\":\"2024-03-07T20:15:00Z\""),
    "02-firstplay-after.status.json": status(
      "lic-02", "active", licence: "2024-03-05T20:15:00Z",
      links: [newest, register, returnLicence],
      registered: ["5b0f"]),
    "03-expired.lcpl": licence(
      "lic-03", rights: "\"start\":\"2024-03-01T00:00:00Z\",\"end\":\"2024-03-15T00:00:00+01:00\""),
    "03-expired.status.json": status("lic-03", "expired", registered: ["5b0f"]),
    "03-expired-but-renewable.status.json": status(
      "lic-03", "expired",
      links: [
        newest, link("renew", "\(host)/renew.html?lic=lic-03", type: "text/html"),
        link("renew", "\(host)/renew?lic=lic-03{&end,id,name}"),
      ], potential: "2099-04-01T00:00:00Z"),
    "04-revoked.status.json": status(
      "lic-01", "revoked", licence: "2024-06-01T00:00:00Z", registered: ["5b0f", "b1"]),
    "05-cancelled.status.json": status("lic-02", "cancelled", licence: "2024-03-03T12:00:00Z"),
    "05-returned.lcpl": licence(
      "lic-01", updated: "2024-03-03T12:00:00Z",
      rights: "\"start\":\"2024-03-01T00:00:00Z\",\"end\":\"2024-03-03T12:00:00Z\""),
    "05-returned.status.json": status("lic-01", "returned", licence: "2024-03-03T12:00:00Z"),
    "06-renew-refused.problem.json": problem("\(readium)/renew"),
    "06-renew-date.problem.json": problem("\(readium)/renew/date"),
    "06-return-already.problem.json": problem("\(readium)/return/already"),
    "06-return-expired.problem.json": problem("\(readium)/return/expired"),
    "06-register-refused.problem.json": problem("\(readium)/registration"),
    "06-no-type.problem.json": problem(nil),
    "06-server.problem.json": problem("\(readium)/server", ",\"detail\":\"\\u001b[31mred\\u0007\""),
    "06-downloads-used-up.problem.json": problem(
      "https://provider.example/used-up", ",\"resets\":\"2099-03-01T00:00:00Z\""),
    "07-no-links.lcpl": """
    {"id":"lic-07","issued":"2024-03-01T09:00:00Z","provider":"https://provider.example",
    "encryption":{},"signature":{}}
    """,
    "07-no-publication.lcpl": licence("lic-07", publication: false),
    "07-no-signature.lcpl": licence("lic-07", signature: false),
    "07-bad-dates.lcpl": licence(
      "lic-07", rights: "\"start\":\"2024-03-01\",\"end\":\"31.12.2099\""),
    "07-end-before-start.lcpl": licence(
      "lic-07", rights: "\"start\":\"2099-01-01T00:00:00Z\",\"end\":\"2024-01-01T00:00:00Z\""),
    "07-odd-but-usual.lcpl": licence(
      "lic-07", length: "\"264929\"",
      hash: "8b752f93e5e73a3efff1c706c1c2e267dffc6ec01c382cbe2a6ca9bd57cc8378",
      rel: "[\"publication\",\"https://provider.example/rel/video\"]"),
    "07-wrong-id.lcpl": licence("other-id"),
    "07-truncated.lcpl": String(licence("lic-07").prefix(300)),
    "07-unknown-status.status.json": status("lic-01", "suspended"),
    "07-evil-links.status.json": status(
      "lic-01", "active",
      links: [
        link("license", "file:///etc/passwd"),
        link("register", "http://127.0.0.1:8080/register{?id,name}"),
      ]),
    "07-no-updated-license.status.json": status("lic-01", "active", licence: nil),
    "07-bom.status.json": "\u{FEFF}" + status("lic-01", "active"),
    "07-duplicate-keys.status.json": status("lic-01", "active", more: ",\"status\":\"revoked\""),
    "07-portal.html": "<!DOCTYPE html><html><body>Welcome</body></html>",
    "08-deep.json": String(repeating: "[", count: 20_000) + String(repeating: "]", count: 20_000),
    "08-many.status.json": status(
      "lic-01", "active", links: Array(repeating: newest, count: 1500),
      registered: (0..<1500).map { "device-\($0)" }),
    "08-long-message.status.json": status(
      "lic-01", "active", message: String(repeating: "x", count: 300_000)),
    "08-huge-length.lcpl": licence("lic-08", length: "9223372036854775807"),
    "08-hostile-id.lcpl": licence("../../etc/x\\u0000y"),
    "08-number-overflow.lcpl": licence("lic-08", length: "1e400"),
    "09-newer.lcpl": licence(
      "lic-01", updated: "2024-04-01T08:00:00Z",
      rights: "\"start\":\"2024-03-01T00:00:00Z\",\"end\":\"2100-01-15T00:00:00Z\""),
    "09-newer.status.json": status(
      "lic-01", "active", licence: "2024-04-01T08:00:00Z",
      links: [newest, register, returnLicence, renew], potential: "2100-01-31T00:00:00Z"),
    "09-two-profiles.status.json": status(
      "lic-01", "active", licence: "2024-04-01T08:00:00Z",
      links: [
        link(
          "license", "\(host)/licenses/lic-01",
          more: ",\"profile\":\"http://readium.org/lcp/profile-2.0\""),
        link(
          "license", "\(host)/licenses/lic-01?p=basic",
          more: ",\"profile\":\"http://readium.org/lcp/basic-profile\""),
      ]),
  ]
}
