import BackendWire
import Glibc
import VmxJSON
import VmxModel

/// The account stored by the server, and its faults.
struct AccountRegister: Sendable {
  /// A change to the subscriptions of a device.
  private struct Change: Sendable {
    let url: String
    let isAdded: Bool
    let device: String
    let at: Int64
  }

  /// A stored action.
  struct Action: Sendable {
    var fields: JSONObject
    /// The time within the action, in seconds since 1970.
    let at: Int64
  }

  let kind: ServerKind
  let port: UInt16
  private var devices: Set<String> = ["phone"]
  private var changes: [Change] = []
  private var actions: [Action] = []
  var faults = Faults()
  private var isConfirmed = false

  init(_ kind: ServerKind, port: UInt16) {
    self.kind = kind
    self.port = port
  }

  private var now: Int64 { Int64(time(nil)) }

  /// Performs a control request.
  mutating func control(_ name: String, _ request: Request) -> Answer {
    switch name {
    case "actions" where request.method == "POST":
      _ = keep(Self.value(request.body)?.array ?? [])
    case "actions": return Answer(actions.map { JSONValue.object($0.fields).text + "\n" }.joined())
    case "subscriptions": return Answer(subscriptions().map { "\($0)\n" }.joined())
    case "subscribe", "unsubscribe":
      changes.append(
        Change(
          url: request.values["url"] ?? "", isAdded: name == "subscribe", device: "phone", at: now))
    case "confirm": isConfirmed = true
    case "fault": faults.add(request.values)
    case "calm": faults.clear()
    default: return Answer("", status: 404)
    }
    return Answer("{}\n")
  }

  /// Performs a call.
  mutating func perform(_ call: SyncCall, _ request: Request) -> Answer {
    switch call.kind {
    case .flow:
      let base = "http:\\/\\/127.0.0.1:\(port)"
      return Answer(
        "{\"poll\":{\"token\":\"t1\",\"endpoint\":\"\(base)\\/index.php\\/login\\/v2\\/poll\"},"
          + "\"login\":\"\(base)\\/login?token=t2\"}")
    case .poll:
      guard isConfirmed else { return Answer("[]", status: 404) }
      return Answer(
        "{\"server\":\"http:\\/\\/127.0.0.1:\(port)\",\"loginName\":\"anna\","
          + "\"appPassword\":\"wonder-1\"}")
    default: break
    }
    guard isAllowed(call, request) else {
      var refusal = Answer("{\"code\":401}", status: 401)
      refusal.fields = ["WWW-Authenticate: Basic realm=\"sync\""]
      return refusal
    }
    if kind == .gpodder, call.user != "anna" { return Answer("", status: 400) }
    switch call.kind {
    case .devices:
      return Answer(
        "[\(devices.sorted().map { "{\"id\":\"\($0)\",\"type\":\"toaster\"}" }.joined(separator: ","))]"
      )
    case .device:
      devices.insert(call.device)
      return Answer("")
    case .subscriptions: return call.isPost ? change(call, request) : changed(call, request)
    case .all: return Answer(JSONValue.array(everywhere().map { .string($0) }).text)
    case .actions: return call.isPost ? upload(request) : download(request)
    default: return Answer(kind == .opodsync ? "{\"code\":200}" : "")
    }
  }

  private func isAllowed(_ call: SyncCall, _ request: Request) -> Bool {
    // anna:wonder-1
    if request.authorization == "Basic YW5uYTp3b25kZXItMQ==" { return true }
    return kind == .opodsync && call.user == "anna__abcdef0123"
  }

  static func value(_ bytes: [UInt8]) -> JSONValue? {
    do throws(JSONSyntaxError) {
      return try JSONParser().parse(bytes)
    } catch {
      return nil
    }
  }
}

// Subscriptions.
extension AccountRegister {
  /// Returns the current subscriptions of a device; nil for all devices together.
  private func subscriptions(of device: String? = nil) -> [String] {
    var list: [String] = []
    for change in changes where device == nil || change.device == device {
      list.removeAll { $0 == change.url }
      if change.isAdded { list.append(change.url) }
    }
    return list
  }

  /// Returns the list for all devices; that of oPodSync also contains removed subscriptions.
  private func everywhere() -> [String] {
    guard kind == .opodsync else { return subscriptions() }
    var list: [String] = []
    for change in changes where !list.contains(change.url) { list.append(change.url) }
    return list
  }

  private mutating func change(_ call: SyncCall, _ request: Request) -> Answer {
    let body = Self.value(request.body)
    let (added, removed) = (Self.texts(body, "add"), Self.texts(body, "remove"))
    guard let added, let removed else { return Answer("{\"code\":400}", status: 400) }
    if kind == .gpodder {
      guard devices.contains(call.device) else { return Answer("", status: 404) }
      guard Set(added).isDisjoint(with: removed) else { return Answer("", status: 400) }
    }
    if kind == .opodsync, let bad = (added + removed).first(where: { !$0.hasPrefix("http") }) {
      return Answer("{\"code\":400,\"message\":\"Invalid URL: \(bad)\"}", status: 400)
    }
    var renamed: [JSONValue] = []
    for (urls, isAdded) in [(added, true), (removed, false)] {
      for url in urls {
        let clean = kind == .gpodder ? Self.cleaned(url) : url
        if clean != url { renamed.append(.array([.string(url), .string(clean)])) }
        guard !clean.isEmpty else { continue }
        changes.append(Change(url: clean, isAdded: isAdded, device: call.device, at: now))
      }
    }
    return receipt(renamed)
  }

  private func receipt(_ renamed: [JSONValue]) -> Answer {
    guard kind != .nextcloud else { return Answer("{\"timestamp\":\(now)}") }
    let list = kind == .opodsync ? "[]" : JSONValue.array(renamed).text
    return Answer("{\n    \"timestamp\": \(now),\n    \"update_urls\": \(list)\n}")
  }

  private func changed(_ call: SyncCall, _ request: Request) -> Answer {
    if kind == .gpodder {
      guard devices.contains(call.device) else { return Answer("", status: 404) }
      guard request.values["since"] != nil else { return Answer("", status: 400) }
    }
    let since = Int64(request.values["since"] ?? "") ?? 0
    var last: [String: Bool] = [:]
    var order: [String] = []
    for change in changes
    where change.at >= since && (kind != .gpodder || change.device == call.device) {
      if last.updateValue(change.isAdded, forKey: change.url) == nil { order.append(change.url) }
    }
    func list(_ isAdded: Bool) -> String {
      JSONValue.array(order.filter { last[$0] == isAdded }.map { .string($0) }).text
    }
    return Answer("{\"add\":\(list(true)),\"remove\":\(list(false)),\"timestamp\":\(now)}")
  }

  /// Normalises a URL as gpodder.net does; returns an empty text if it rejects the URL.
  private static func cleaned(_ url: String) -> String {
    guard let rest = ["http://", "https://"].first(where: { url.hasPrefix($0) }) else { return "" }
    let tail = url.dropFirst(rest.count)
    let host = tail.prefix { $0 != "/" }
    let name = host.split(separator: "@").last ?? host
    return rest + name.lowercased() + tail.dropFirst(host.count)
  }

  private static func texts(_ value: JSONValue?, _ key: String) -> [String]? {
    value?.object?[key]?.array?.compactMap(\.string)
  }
}

// Actions.
extension AccountRegister {
  private mutating func upload(_ request: Request) -> Answer {
    guard let rows = Self.value(request.body)?.array else {
      return Answer("{\"code\":400}", status: 400)
    }
    if kind == .opodsync,
      rows.contains(where: { $0.object?["episode"]?.string?.hasPrefix("http") != true })
    {
      return Answer("{\"code\":400,\"message\":\"Invalid URL\"}", status: 400)
    }
    guard keep(rows) else { return Answer("{\"code\":400}", status: 400) }
    return receipt([])
  }

  /// Stores actions; returns false and stores none if one of them is invalid.
  private mutating func keep(_ rows: [JSONValue]) -> Bool {
    var new: [Action] = []
    for row in rows {
      guard var fields = row.object, fields["podcast"]?.string != nil,
        fields["episode"]?.string != nil
      else { return false }
      let time = fields["timestamp"]?.string ?? ""
      let at = (Timestamp(time) ?? Timestamp("\(time)Z")).map { $0.milliseconds / 1000 }
      guard let at = at ?? (kind == .nextcloud ? nil : now) else { return false }
      let name = fields["action"]?.string?.lowercased() ?? ""
      fields["action"] = .string(kind == .nextcloud ? name.uppercased() : name)
      new.append(Action(fields: fields, at: at))
    }
    for action in new {
      if kind == .nextcloud {
        // There is one row for each episode: the last write wins, even with an older time.
        actions.removeAll { $0.fields["episode"] == action.fields["episode"] }
      }
      actions.append(action)
    }
    return true
  }

  private func download(_ request: Request) -> Answer {
    let since = Int64(request.values["since"] ?? "") ?? 0
    var found = actions.filter { kind == .nextcloud ? $0.at > since : $0.at >= since }
    var timestamp = now
    if kind == .gpodder {
      found = Array(found.sorted { $0.at < $1.at }.prefix(1000))
      timestamp = found.last?.at ?? now
    }
    let rows = found.map { JSONValue.object(shown($0)) }
    return Answer(
      "{\n    \"actions\": \(JSONValue.array(rows).text),\n    \"timestamp\": \(timestamp)\n}")
  }

  /// Returns an action in the format of this server.
  private func shown(_ action: Action) -> JSONObject {
    var fields = action.fields
    let text = Timestamp(seconds: action.at).text.prefix(19)
    switch kind {
    case .gpodder:
      fields["timestamp"] = .string("\(text).123456")
      for key in ["started", "position", "total"] where fields[key] == nil { fields[key] = .null }
    case .nextcloud:
      fields["timestamp"] = .string(String(text))
      for key in ["started", "position", "total"] where fields[key] == nil { fields[key] = -1 }
    case .opodsync: fields["timestamp"] = .string("\(text)Z")
    }
    return fields
  }
}
