import BackendWire
import Glibc
import Synchronization
import VmxModel

/// Responds to requests.
final class Service: Sendable {
  private let book: Mutex<AccountRegister>
  private let log: Int32

  init(_ book: AccountRegister, log: String?) {
    self.book = Mutex(book)
    self.log = log.map { open($0, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644) } ?? -1
  }

  /// Serves one request of a connection.
  func serve(_ connection: Int32) {
    defer { close(connection) }
    guard let request = Request(connection) else { return }
    if log >= 0, !request.path.hasPrefix("/control") {
      let since = request.values["since"].map { " since=\($0)" } ?? ""
      let line = Array("\(request.method) \(request.path)\(since)\n".utf8)
      _ = write(log, line, line.count)
    }
    book.withLock { Self.end(of: request, &$0) }.perform(on: connection)
  }

  private static func end(of request: Request, _ book: inout AccountRegister) -> End {
    let words = request.path.split(separator: "/").map(String.init)
    if words.first == "control", words.count == 2 {
      return .answer(book.control(words[1], request))
    }
    guard let call = SyncCall(words, request, book.kind) else {
      return .answer(Answer("", status: 404))
    }
    let fault = book.faults.next(of: call.name)
    switch fault {
    case "fail": return .answer(Answer("down", status: 500))
    case "busy": return .answer(Answer("busy", status: 503))
    case "denied": return .answer(Answer("", status: 401))
    case "gone": return .answer(Answer("", status: 404))
    case "page": return .answer(.page)
    case "huge": return .answer(Answer("\"" + String(repeating: "x", count: 65 << 20) + "\""))
    case "wait":
      var refusal = Answer("", status: 429)
      refusal.fields = ["Retry-After: 30"]
      return .answer(refusal)
    default: break
    }
    let made = book.perform(call, request)
    switch fault {
    case "fail-after": return .answer(Answer("down", status: 500))
    case "lose-after": return .lost
    case "hang-after": return .hung
    default: return .answer(made, isCut: fault == "cut")
    }
  }
}

/// A call of the API, in any dialect.
struct SyncCall: Sendable {
  /// The kinds of calls.
  enum Kind: String { case login, devices, device, subscriptions, all, actions, flow, poll }

  let kind: Kind
  /// The user name in the path; nil in Nextcloud's paths.
  let user: String?
  let device: String
  let isPost: Bool

  /// The name by which fault rules select the call.
  var name: String {
    switch kind {
    case .subscriptions, .actions: "\(kind.rawValue)-\(isPost ? "post" : "get")"
    case .device: "devices"
    default: kind.rawValue
    }
  }

  /// Parses a path; returns nil if this kind of server does not have it.
  init?(_ words: [String], _ request: Request, _ server: ServerKind) {
    isPost = request.method == "POST"
    func plain(_ text: String) -> String { String(text.split(separator: ".json")[0]) }
    if server != .gpodder, words.first == "index.php" {
      (user, device) = (nil, "")
      switch words.dropFirst().joined(separator: "/") {
      case "apps/gpoddersync/subscriptions", "apps/gpoddersync/subscription_change/create":
        kind = .subscriptions
      case "apps/gpoddersync/episode_action", "apps/gpoddersync/episode_action/create":
        kind = .actions
      case "login/v2": kind = .flow
      case "login/v2/poll": kind = .poll
      default: return nil
      }
      return
    }
    guard server != .nextcloud else { return nil }
    if words.count == 2, words[0] == "subscriptions" {
      (kind, user, device) = (.all, plain(words[1]), "")
      return
    }
    guard words.count >= 4, words[0] == "api", words[1] == "2" else { return nil }
    user = plain(words[3])
    device = words.count > 4 ? plain(words[4]) : ""
    switch (words[2], words.count) {
    case ("auth", 5): kind = .login
    case ("devices", 4): kind = .devices
    case ("devices", 5): kind = .device
    case ("subscriptions", 5): kind = .subscriptions
    case ("episodes", 4): kind = .actions
    default: return nil
    }
  }
}
