import VmxModel

// The documents of a licence as literal JSON, since the test chooses the values in them.

extension IssuedLicence {
  private static let statusType = "application/vnd.readium.license.status.v1.0+json"
  private static let licenceType = "application/vnd.readium.lcp.license.v1.0+json"

  private func time(_ moment: Timestamp) -> String { "\(moment.text.prefix(19))Z" }

  /// Returns the licence document.
  func document(port: UInt16, id: String? = nil, changed: Timestamp? = nil) -> String {
    var rights: [String] = []
    if let start { rights.append("\"start\":\"\(time(start))\"") }
    if let end { rights.append("\"end\":\"\(time(end))\"") }
    if let period { rights.append("\"https://provider.example/rights/play_period\":\"\(period)\"") }
    let figures =
      (length.map { ",\"length\":\($0)" } ?? "") + (hash.map { ",\"hash\":\"\($0)\"" } ?? "")
    return """
      {"id":"\(id ?? self.id)","issued":"\(time(issued))","updated":"\(time(changed ?? self.changed))",
       "provider":"https://provider.example",
       "encryption":{"profile":"http://readium.org/lcp/basic-profile","content_key":{},"user_key":{}},
       "links":[{"rel":"hint","href":"http://127.0.0.1:\(port)/hint","type":"text/html"},
        {"rel":"publication","href":"\(publication)","type":"video/mp4"\(figures)},
        {"rel":"status","href":"http://127.0.0.1:\(port)/licenses/\(self.id)/status",
         "type":"\(Self.statusType)"}],
       "rights":{\(rights.joined(separator: ","))},"user":{"id":"u-1"},
       "signature":{"algorithm":"http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
        "certificate":"bm9uZQ==","value":"bm9uZQ=="}}

      """
  }

  /// The status document. Links that cannot be used are left out, as the reference server does.
  func status(port: UInt16, id: String? = nil, extra: String = "", evil: Bool = false) -> String {
    let base = "http://127.0.0.1:\(port)/licenses/\(self.id)"
    func link(_ rel: String, _ href: String, _ type: String, templated: Bool = true) -> String {
      "{\"rel\":\"\(rel)\",\"href\":\"\(href)\",\"type\":\"\(type)\",\"templated\":\(templated)}"
    }
    let isUsable = status == "ready" || status == "active"
    var links = [
      link("license", evil ? "file:///etc/passwd" : base, Self.licenceType, templated: false)
    ]
    if isUsable {
      links.append(
        link("register", "\(evil ? "file:///" : base)/register{?id,name}", Self.statusType))
      links.append(link("return", "\(base)/return{?id,name}", Self.statusType))
    }
    if limit != nil, status == "active" {
      links.append(link("renew", "\(base)/renew{?end,id,name}", Self.statusType))
    }
    if hasPage { links.append(link("renew", "\(base)/page", "text/html", templated: false)) }
    let potential = limit.map { ",\"potential_rights\":{\"end\":\"\(time($0))\"}" } ?? ""
    let events = devices.map {
      "{\"type\":\"register\",\"name\":\"\($0.name)\",\"id\":\"\($0.id)\","
        + "\"timestamp\":\"\(time(statusChanged))\"}"
    }
    return """
      {"id":"\(id ?? self.id)","status":"\(status)"\(extra),"message":"\(message)",
       "updated":{"license":"\(time(changed))","status":"\(time(statusChanged))"},
       "links":[\(links.joined(separator: ","))]\(potential),
       "events":[\(events.joined(separator: ","))]}

      """
  }
}
