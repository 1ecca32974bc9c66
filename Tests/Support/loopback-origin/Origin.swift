import Glibc

/// An HTTP/1.1 origin on the loopback interface for tests and the demo. It behaves correctly by
/// default and can show every misbehaviour that a downloader may encounter. It is not part of a
/// release.
///
/// Each connection has its own thread. Rules (`FaultPlan`) specify the faults; they are in a file,
/// on the command line or in the query of a request. Each request is logged as one JSON line, so
/// that a test can check which bytes were actually requested.
@main
enum Origin {
  static func main() {
    do {
      let options = try OriginOptions(Array(CommandLine.arguments.dropFirst()))
      if options.wantsHelp {
        say(OriginOptions.help, on: 1)
        return
      }
      try serve(options)
    } catch {
      say("loopback-origin: \(error.text)\n", on: 2)
      exit(64)
    }
  }

  private static func serve(_ options: OriginOptions) throws(OriginProblem) {
    for film in options.films { try Film.make(film, in: options.root) }
    let first = try Listener(port: options.port)
    let second = try Listener(port: options.secondPort, as: try identity(options))
    let service = Service(
      root: options.root,
      plan: try FaultPlan(lines: options.rules),
      log: try RequestLog(path: options.log),
      places: Places(first: first.port, second: second.port))
    try Published.write("\(first.port)\n", to: options.portFile)
    try Published.write("\(second.port)\n", to: options.secondPortFile)
    say("\(first.port)\n\(second.port)\n", on: 1)
    let life = options.life
    try DetachedThread.start {
      sleep(life)
      exit(0)
    }
    try DetachedThread.start { second.acceptForever(service) }
    first.acceptForever(service)
  }

  private static func identity(
    _ options: OriginOptions
  ) throws(OriginProblem) -> SecureIdentity? {
    guard let certificate = options.certificate, let key = options.key else { return nil }
    // A TLS write to a connection that the client has closed would otherwise raise SIGPIPE.
    signal(SIGPIPE, SIG_IGN)
    return try SecureIdentity(
      certificate: certificate, key: key, offersStreams: options.offersStreams)
  }

  private static func say(_ text: String, on descriptor: Int32) {
    let bytes = Array(text.utf8)
    _ = write(descriptor, bytes, bytes.count)
  }
}

/// The reason why the origin cannot start or a rule is invalid, as text for the test's author.
struct OriginProblem: Error {
  let text: String

  init(_ text: String) {
    self.text = text
  }

  /// The failure of a system call.
  static func system(_ call: String, _ subject: String) -> OriginProblem {
    OriginProblem("\(call) '\(subject)': \(String(cString: strerror(errno)))")
  }
}

/// The files in which the origin publishes its ports.
enum Published {
  /// Writes the file atomically, so that a waiting process never reads an incomplete number.
  static func write(_ text: String, to path: String?) throws(OriginProblem) {
    guard let path else { return }
    let draft = path + ".new"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw .system("open", draft) }
    let bytes = Array(text.utf8)
    let written = Glibc.write(descriptor, bytes, bytes.count)
    close(descriptor)
    guard written == bytes.count, rename(draft, path) == 0 else { throw .system("write", path) }
  }
}
