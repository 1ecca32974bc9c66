import Glibc
import VmxModel

/// A licence backend on the loopback for tests: it follows the rules of Readium (licence document and
/// License Status Document 1.0) strictly, and misbehaves in every way that a client meets if it is
/// told to. It ships in no release.
///
/// Licences are issued and faults are set by requests below `/control`, so that a story can change
/// its mind while a client runs. Each request leaves one JSON line in the log, and each effect is
/// counted.
@main
enum Backend {
  static func main() {
    do {
      let options = try BackendOptions(Array(CommandLine.arguments.dropFirst()))
      if options.wantsHelp {
        say(BackendOptions.help, on: 1)
        return
      }
      signal(SIGPIPE, SIG_IGN)
      let listener = try Listener()
      let service = Service(LicenceBook(port: listener.port), log: try RequestLog(options.log))
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
      say("licence-backend: \(error.text)\n", on: 2)
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

/// The command-line options of the backend.
struct BackendOptions {
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
    usage: licence-backend [--port-file FILE] [--log FILE] [--life SECONDS]

    Serves licences on 127.0.0.1 and prints the port. Control requests, by any method:
      /control/issue?id=ID[&start=TIME][&end=TIME][&limit=TIME][&after-register=SECONDS]
                    [&period=PT48H][&publication=URL][&length=N][&hash=BASE64]
          issues a licence that is ready; limit is the latest end of a renewal, and after-register
          the seconds that are left from the registration on
      /control/status?id=ID&to=STATUS[&message=TEXT]   changes the status, as a provider does
      /control/extend?id=ID&end=TIME                   changes the end
      /control/page?id=ID                              links a page on which a person renews
      /control/fault?on=CALL&do=FAULT[&times=N]        CALL: status, license, register, return, renew,
                                                       events
      /control/calm                                    forgets all faults
      /control/events                                  prints the events told to /events, and counts
      /control/order?do=ORDER&id=ID[&until=TIME]       gives an order with the next answer there
      /control/effects?id=ID                           counts of registered, returned and renewed
    TIME is RFC 3339, or seconds from now with a sign: +3600, -60.
    FAULT: lose (does it, answers nothing), hang (does nothing, never answers), hang-after (does it,
      never answers), fail (503), gone (404), page (a web page), malformed, huge, deep, twice (a key
      twice), no-type (a refusal without a type), refuse (a refusal), other-id, old (an older licence),
      evil-links, downloads (a refusal with 'resets'), clock:SECONDS (a wrong Date),
      wait (429), spoil:EVENT (refuses messages with such an event)


    """
}
