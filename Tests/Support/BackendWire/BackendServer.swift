import Glibc

/// A server for tests. It listens on the loopback interface, publishes its port, and serves each
/// connection on a thread of its own.
///
///     BackendServer.run("licence-backend", help: help) { options, port in
///       let service = try Service(port, log: options.log)
///       return service.serve
///     }
package enum BackendServer {
  /// Serves until the configured life of the process ends; exits with status 64 for an invalid
  /// command line.
  ///
  /// - Parameters:
  ///   - extra: the names of additional options, each with a value.
  ///   - make: creates the function that serves a connection.
  package static func run(
    _ name: String, help: String, extra: Set<String> = [],
    _ make: (BackendOptions, UInt16) throws(BackendProblem) -> @Sendable (Int32) -> Void
  ) {
    do throws(BackendProblem) {
      let options = try BackendOptions(Array(CommandLine.arguments.dropFirst()), extra)
      if options.wantsHelp { return say(help, on: 1) }
      signal(SIGPIPE, SIG_IGN)
      let listener = try Listener()
      let serve = try make(options, listener.port)
      try options.publish(port: listener.port)
      say("\(listener.port)\n", on: 1)
      let life = options.life
      try start {
        sleep(life)
        exit(0)
      }
      while true {
        let connection = listener.accept()
        try start { serve(connection) }
      }
    } catch {
      say("\(name): \(error.text)\n", on: 2)
      exit(64)
    }
  }

  private static func say(_ text: String, on descriptor: Int32) {
    let bytes = Array(text.utf8)
    _ = write(descriptor, bytes, bytes.count)
  }

  /// Runs a closure on a new thread.
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

/// The reason why a backend cannot start, as text for the test's author.
package struct BackendProblem: Error {
  /// The text.
  package let text: String

  /// Creates a problem.
  package init(_ text: String) { self.text = text }
}

/// The command-line options of a backend.
package struct BackendOptions: Sendable {
  /// The path of the log file.
  package private(set) var log: String?
  /// The values of the additional options of this backend.
  package private(set) var extra: [String: String] = [:]
  private var portFile: String?
  /// The number of seconds after which the backend exits by itself, so that an aborted test leaves
  /// no process behind.
  fileprivate private(set) var life: UInt32 = 600
  fileprivate private(set) var wantsHelp = false

  fileprivate init(_ arguments: [String], _ names: Set<String>) throws(BackendProblem) {
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
      case _ where names.contains(option): extra[option] = value
      default: throw BackendProblem("unknown option '\(option)'; see --help")
      }
    }
  }

  /// Writes the port atomically, so that a waiting process never reads an incomplete number.
  fileprivate func publish(port: UInt16) throws(BackendProblem) {
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
}
