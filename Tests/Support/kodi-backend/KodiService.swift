import BackendWire
import Glibc
import Synchronization
import VmxJSON
import VmxModel

/// Responds to requests.
final class KodiService: Sendable {
  private struct State {
    var videos: [JSONObject] = []
    var faults = Faults()
  }

  private let state = Mutex(State())
  private let log: Int32

  init(log: String?) {
    self.log = log.map { open($0, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644) } ?? -1
  }

  /// Serves one request of a connection.
  func serve(_ connection: Int32) {
    defer { close(connection) }
    guard let request = Request(connection) else { return }
    end(of: request).perform(on: connection)
  }

  private func end(of request: Request) -> End {
    if request.path.hasPrefix("/control/") {
      return .answer(control(String(request.path.dropFirst(9)), request))
    }
    guard request.path == "/jsonrpc", request.method == "POST" else {
      return .answer(Answer("", status: 404))
    }
    // kodi:wonder-1
    guard request.authorization == "Basic a29kaTp3b25kZXItMQ==" else {
      return .answer(Answer("", status: 401))
    }
    guard let call = try? JSONParser().parse(request.body).object,
      let method = call["method"]?.string
    else { return .answer(error(-32700, "Parse error.")) }
    let line = Array("\(method)\n".utf8)
    _ = write(log, line, line.count)
    let fault = state.withLock { $0.faults.next(of: method) }
    switch fault {
    case "fail": return .answer(Answer("down", status: 500))
    case "denied": return .answer(Answer("", status: 401))
    case "page": return .answer(.page)
    case "refuse": return .answer(error(-32602, "Invalid params.", "lastplayed"))
    case "odd": return .answer(answer(.integer(7)))
    case "huge": return .answer(Answer("\"" + String(repeating: "x", count: 65 << 20) + "\""))
    default: break
    }
    let made = perform(method, call["params"]?.object ?? JSONObject(), fault)
    switch fault {
    case "lose-after": return .lost
    case "hang-after": return .hung
    default: return .answer(made, isCut: fault == "cut")
    }
  }

  private func control(_ name: String, _ request: Request) -> Answer {
    state.withLock { state in
      switch (name, request.method) {
      case ("videos", "POST"):
        let lines = String(decoding: request.body, as: UTF8.self).split(separator: "\n")
        state.videos = lines.enumerated().compactMap { index, line in
          guard var video = try? JSONParser().parse(String(line)).object else { return nil }
          video.append("id", .integer(Int64(index) + 1))
          return video
        }
        return Answer("\(state.videos.count)\n")
      case ("videos", _):
        return Answer(state.videos.map { $0.text + "\n" }.joined())
      case ("fault", _):
        state.faults.clear()
        state.faults.add(request.values)
        return Answer("")
      case ("calm", _):
        state.faults.clear()
        return Answer("")
      default: return Answer("", status: 404)
      }
    }
  }

  private func perform(_ method: String, _ params: JSONObject, _ fault: String?) -> Answer {
    switch method {
    case "VideoLibrary.GetEpisodes": list("episode", "episodes", params, fault)
    case "VideoLibrary.GetMovies": list("movie", "movies", params, fault)
    case "VideoLibrary.SetEpisodeDetails": change("episode", params)
    case "VideoLibrary.SetMovieDetails": change("movie", params)
    default: error(-32601, "Method not found.")
    }
  }

  private func list(
    _ kind: String, _ key: String, _ params: JSONObject, _ fault: String?
  ) -> Answer {
    let asked = (params["properties"]?.array ?? []).compactMap(\.string)
    let known: Set = ["file", "playcount", "lastplayed", "resume", "season", "episode"]
    guard known.isSuperset(of: asked), kind == "episode" || !asked.contains("season") else {
      return error(-32602, "Invalid params.", "properties")
    }
    let limits = params["limits"]?.object
    let all = state.withLock { $0.videos.filter { $0["kind"]?.string == kind } }
    let start = fault == "endless" ? 0 : Int(limits?["start"]?.integer ?? 0)
    var end = min(all.count, Int(limits?["end"]?.integer ?? Int64(all.count)))
    if fault == "short" { end = min(end, start + 2) }
    let rows = start < end ? all[start..<end] : []
    var result = JSONObject()
    // Kodi omits the list if it is empty.
    if !rows.isEmpty {
      result.append(
        key,
        .array(
          rows.map { video in
            var row = JSONObject()
            row.append("\(kind)id", video["id"])
            row.append("label", "A label")
            for name in asked { row.append(name, video[name]) }
            return .object(row)
          }))
    }
    let total = fault == "many" || fault == "endless" ? 1_000_000 : all.count
    result.append(
      "limits",
      .object(
        JSONObject(distinct: [
          ("start", .integer(Int64(start))), ("end", .integer(Int64(end))),
          ("total", .integer(Int64(total))),
        ])))
    return answer(.object(result))
  }

  private func change(_ kind: String, _ params: JSONObject) -> Answer {
    func isNumber(_ value: JSONValue?) -> Bool {
      switch value {
      case .integer(let number): number >= 0
      case .double(let number): number >= 0
      default: false
      }
    }
    let isID = { (name: String) in params[name]?.integer != nil }
    guard isID("\(kind)id") else { return error(-32602, "Invalid params.", "\(kind)id") }
    guard isID("playcount") else { return error(-32602, "Invalid params.", "playcount") }
    let time = params["lastplayed"]?.string ?? ""
    guard time.utf8.count == 19, Timestamp(time.replacing(" ", with: "T") + "Z") != nil else {
      return error(-32602, "Invalid params.", "lastplayed")
    }
    let resume = params["resume"]?.object
    guard isNumber(resume?["position"]), isNumber(resume?["total"]) else {
      return error(-32602, "Invalid params.", "resume")
    }
    let isKnown = state.withLock { state in
      let found = state.videos.firstIndex {
        $0["id"] == params["\(kind)id"] && $0["kind"]?.string == kind
      }
      guard let found else { return false }
      for name in ["playcount", "lastplayed", "resume"] {
        state.videos[found][name] = params[name]
      }
      return true
    }
    return isKnown ? answer("OK") : error(-32602, "Invalid params.", "\(kind)id")
  }

  private func answer(_ result: JSONValue) -> Answer {
    let object = JSONObject(distinct: [("id", 1), ("jsonrpc", "2.0"), ("result", result)])
    return Answer(object.text)
  }

  private func error(_ code: Int64, _ message: String, _ parameter: String? = nil) -> Answer {
    var error = JSONObject(distinct: [("code", .integer(code)), ("message", .string(message))])
    if let parameter {
      let stack = JSONObject(distinct: [("name", .string(parameter)), ("type", "string")])
      error.append("data", .object(JSONObject(distinct: [("stack", .object(stack))])))
    }
    let object = JSONObject(distinct: [
      ("error", .object(error)), ("id", 1), ("jsonrpc", "2.0"),
    ])
    return Answer(object.text)
  }
}

extension JSONObject {
  fileprivate var text: String {
    var bytes: [UInt8] = []
    JSONWriter.append(self, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
