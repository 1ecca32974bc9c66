import BackendWire
import Glibc
import VmxModel

/// One licence as stored by the backend.
struct IssuedLicence: Sendable {
  let id: String
  let issued: Timestamp
  var start: Timestamp?
  var end: Timestamp?
  /// The latest end that a renewal may set.
  var limit: Timestamp?
  /// The duration of the rights after the registration, in milliseconds.
  var afterRegister: Int64?
  var period: String?
  var publication: String
  var length: Int64?
  var hash: String?
  /// Whether it links to a page on which a person can renew it.
  var hasPage = false
  var status = "ready"
  var message = "Ready."
  var changed: Timestamp
  var statusChanged: Timestamp
  /// The devices that have registered, with their names.
  var devices: [(id: String, name: String)] = []
  /// The number of requests that had each effect.
  var effects: [String: Int] = [:]
}

/// The licences and the faults.
struct LicenceRegister: Sendable {
  let port: UInt16
  private(set) var licences: [String: IssuedLicence] = [:]
  /// The events of `vmx report`.
  var events = EventRegister()
  var faults = Faults()
  /// The error of the `Date` field in seconds.
  private(set) var clockError: Int64 = 0
  /// The last time used in a document. These times always increase, however fast requests follow
  /// each other.
  private var last: Timestamp

  init(port: UInt16) {
    self.port = port
    last = Self.clock.adding(milliseconds: -10_000)
  }

  static var clock: Timestamp { Timestamp(milliseconds: Int64(time(nil)) * 1000) }

  private mutating func tick() -> Timestamp {
    last = max(Self.clock, last.adding(milliseconds: 1000))
    return last
  }

  /// Returns a time: RFC 3339, or seconds from now with a sign.
  private static func moment(_ text: String?) -> Timestamp? {
    guard let text else { return nil }
    if let seconds = Int64(text.replacing("+", with: "")), text.first == "+" || text.first == "-" {
      return clock.adding(milliseconds: seconds * 1000)
    }
    return Timestamp(text)
  }

  /// Performs a control request.
  mutating func control(_ name: String, _ values: [String: String]) -> Answer {
    let id = values["id"] ?? ""
    switch name {
    case "issue":
      let now = tick()
      licences[id] = IssuedLicence(
        id: id, issued: now, start: Self.moment(values["start"]), end: Self.moment(values["end"]),
        limit: Self.moment(values["limit"]),
        afterRegister: values["after-register"].flatMap { Int64($0) }.map { $0 * 1000 },
        period: values["period"],
        publication: values["publication"] ?? "http://127.0.0.1:\(port)/media/\(id).mp4",
        length: values["length"].flatMap { Int64($0) }, hash: values["hash"], changed: now,
        statusChanged: now)
    case "status":
      let now = tick()
      licences[id]?.status = values["to"] ?? "active"
      licences[id]?.message = values["message"] ?? "Changed."
      licences[id]?.statusChanged = now
    case "extend":
      let now = tick()
      licences[id]?.end = Self.moment(values["end"])
      licences[id]?.changed = now
      licences[id]?.statusChanged = now
    case "page": licences[id]?.hasPage = true
    case "order": events.order(values)
    case "events":
      var answer = Answer(events.text)
      answer.type = "application/x-ndjson"
      return answer
    case "fault":
      let name = values["do"] ?? ""
      if name.hasPrefix("clock:") {
        clockError = Int64(name.dropFirst("clock:".count)) ?? 0
      } else {
        faults.add(values)
      }
    case "calm":
      faults.clear()
      clockError = 0
    case "effects":
      let effects = licences[id]?.effects ?? [:]
      func count(_ name: String) -> Int { effects[name] ?? 0 }
      return Answer(
        "{\"registered\":\(licences[id]?.devices.count ?? 0),\"register\":\(count("register")),"
          + "\"return\":\(count("return")),\"renew\":\(count("renew"))}\n")
    default: return .problem(404, nil, "No such control.")
    }
    return Answer("{}\n")
  }

  /// Registers a device.
  mutating func register(_ id: String, device: String, name: String) -> Answer? {
    guard var licence = licences[id] else { return .problem(404, "notfound", "No licence.") }
    guard !device.isEmpty, !name.isEmpty, device.utf8.count <= 255, name.utf8.count <= 255 else {
      return .problem(400, "registration", "Device id and name are needed.")
    }
    guard licence.status == "ready" || licence.status == "active" else {
      return .problem(403, "registration", "The licence is \(licence.status).")
    }
    licence.effects["register", default: 0] += 1
    if !licence.devices.contains(where: { $0.id == device }) {
      let now = tick()
      licence.devices.append((device, name))
      licence.status = "active"
      licence.message = "Started."
      licence.statusChanged = now
      if let left = licence.afterRegister {
        let end = Self.clock.adding(milliseconds: left)
        licence.end = licence.end.map { min($0, end) } ?? end
        licence.changed = now
      }
    }
    licences[id] = licence
    return nil
  }

  /// Returns a licence to the provider.
  mutating func returnLicence(_ id: String) -> Answer? {
    guard var licence = licences[id] else { return .problem(404, "notfound", "No licence.") }
    switch licence.status {
    case "ready", "active": break
    case "returned", "cancelled": return .problem(403, "return/already", "Already returned.")
    case "expired": return .problem(403, "return/expired", "It has expired.")
    default: return .problem(400, "return", "The licence is \(licence.status).")
    }
    let now = tick()
    licence.status = licence.status == "ready" ? "cancelled" : "returned"
    licence.message = "Given back."
    licence.end = Self.clock
    (licence.changed, licence.statusChanged) = (now, now)
    licence.effects["return", default: 0] += 1
    licences[id] = licence
    return nil
  }

  /// Sets a later end: the requested one, otherwise one day later.
  mutating func renew(_ id: String, end text: String?) -> Answer? {
    guard var licence = licences[id] else { return .problem(404, "notfound", "No licence.") }
    guard licence.status == "active", let end = licence.end, let limit = licence.limit else {
      return .problem(403, "renew", "The current licence status is \(licence.status).")
    }
    let wanted = text == nil ? end.adding(milliseconds: 86_400_000) : Self.moment(text)
    guard let wanted, wanted >= end, wanted <= limit else {
      return .problem(403, "renew/date", "The end is not possible.")
    }
    let now = tick()
    licence.end = wanted
    (licence.changed, licence.statusChanged) = (now, now)
    licence.effects["renew", default: 0] += 1
    licences[id] = licence
    return nil
  }

  /// Changes an expired licence to `expired`: real servers do so when they receive a request.
  mutating func age(_ id: String) {
    guard let licence = licences[id], let end = licence.end, end <= Self.clock,
      licence.status == "ready" || licence.status == "active"
    else { return }
    licences[id]?.status = "expired"
    licences[id]?.message = "The time is over."
    let now = tick()
    licences[id]?.statusChanged = now
  }
}
