import Glibc
import Synchronization

/// A server for subscriptions and watched marks on the loopback for tests, with the quirks of a real
/// one: gpodder.net, Nextcloud's app or oPodSync. It misbehaves in every way that a client meets if it
/// is told to. It ships in no release.
@main
enum SyncBackend {
  static func main() {
    do {
      let options = try BackendOptions(Array(CommandLine.arguments.dropFirst()))
      if options.wantsHelp { return say(BackendOptions.help, on: 1) }
      signal(SIGPIPE, SIG_IGN)
      let listener = try Listener()
      let service = Service(AccountBook(options.kind, port: listener.port), log: options.log)
      try options.publish(port: listener.port)
      say("\(listener.port)\n", on: 1)
      let life = options.life
      try start {
        sleep(life)
        exit(0)
      }
      while true {
        let connection = listener.accept()
        try start { service.serve(connection) }
      }
    } catch {
      say("sync-backend: \(error.text)\n", on: 2)
      exit(64)
    }
  }

  private static func say(_ text: String, on descriptor: Int32) {
    let bytes = Array(text.utf8)
    _ = write(descriptor, bytes, bytes.count)
  }

  /// Runs a closure on a thread of its own.
  private static func start(_ body: @escaping @Sendable () -> Void) throws(BackendProblem) {
    final class Box: Sendable {
      let body: @Sendable () -> Void
      init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var thread = pthread_t()
    let box = Unmanaged.passRetained(Box(body))
    let result = pthread_create(
      &thread, nil,
      { pointer in
        guard let pointer else { return nil }
        Unmanaged<Box>.fromOpaque(pointer).takeRetainedValue().body()
        return nil
      }, box.toOpaque())
    guard result == 0 else { throw BackendProblem("no thread can be started") }
    pthread_detach(thread)
  }
}

/// Why the backend cannot start, in words for the test's author.
struct BackendProblem: Error {
  let text: String

  init(_ text: String) { self.text = text }
}

/// The server whose quirks are shown.
enum ServerKind: String, Sendable {
  case gpodder, nextcloud, opodsync
}

/// The command-line options of the backend.
struct BackendOptions {
  private(set) var kind = ServerKind.gpodder
  private(set) var portFile: String?
  private(set) var log: String?
  /// Seconds until the backend ends by itself, so that a lost test leaves no process behind.
  private(set) var life: UInt32 = 600
  private(set) var wantsHelp = false

  init(_ arguments: [String]) throws(BackendProblem) {
    var rest = arguments[...]
    while let option = rest.popFirst() {
      if option == "--help" {
        wantsHelp = true
        continue
      }
      guard let value = rest.popFirst() else { throw BackendProblem("'\(option)' needs a value") }
      switch option {
      case "--kind":
        guard let named = ServerKind(rawValue: value) else {
          throw BackendProblem("--kind is gpodder, nextcloud or opodsync")
        }
        kind = named
      case "--port-file": portFile = value
      case "--log": log = value
      case "--life":
        guard let seconds = UInt32(value) else { throw BackendProblem("--life needs a number") }
        life = seconds
      default: throw BackendProblem("unknown option '\(option)'; see --help")
      }
    }
  }

  /// Writes the port atomically, so that a waiting process never reads an incomplete number.
  func publish(port: UInt16) throws(BackendProblem) {
    guard let portFile else { return }
    let draft = portFile + ".new"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    let bytes = Array("\(port)\n".utf8)
    let written = write(descriptor, bytes, bytes.count)
    close(descriptor)
    guard written == bytes.count, rename(draft, portFile) == 0 else {
      throw BackendProblem("'\(portFile)' cannot be written")
    }
  }

  static let help = """
    usage: sync-backend [--kind gpodder|nextcloud|opodsync] [--port-file FILE] [--log FILE]
                        [--life SECONDS]

    Serves the account of anna (password wonder-1; oPodSync also anna__abcdef0123) on 127.0.0.1 and
    prints the port. Control requests:
      POST /control/actions          actions of another device, as an array
      GET  /control/actions          the actions that are kept, one a line
      /control/subscribe?url=URL     another device subscribes; unsubscribe?url=URL
      GET  /control/subscriptions    the subscriptions, one a line
      /control/confirm               a person confirms the login of Nextcloud
      /control/fault?on=CALL&do=FAULT[&times=N]   CALL: login, devices, subscriptions-get,
          subscriptions-post, actions-get, actions-post; /control/calm forgets all faults
    FAULT: fail (500), fail-after (keeps it, then 500), wait (429, Retry-After: 30), busy (503),
      denied (401), gone (404), page (a web page), huge (65 MiB), lose-after (keeps it, answers
      nothing), hang-after (keeps it, never answers), cut (half of the answer)


    """
}
