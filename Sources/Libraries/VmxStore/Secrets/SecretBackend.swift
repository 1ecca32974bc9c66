package import SystemPackage
import VmxModel
package import VmxSystem

// Programs that keep secrets instead of the file `secrets.jsonl`: the Secret Service of the
// desktop, accessed with secret-tool, or a program of the user. vmx passes a secret on standard
// input and receives it on standard output, never as an argument, which all users of the machine
// can read. The programs' own messages are never shown, because they may contain it. Without a
// session bus, secret-tool exits at once.

/// The location of secrets; the raw value is that of the setting and of the field `in` of a
/// reference.
package enum SecretLocation: String, Sendable, CaseIterable {
  /// Typed secrets in the Secret Service if the session has one, all others in the file.
  case auto
  /// In `secrets.jsonl`.
  case file
  /// In the Secret Service.
  case service = "secret-service"
  /// In the program of `secrets.command`.
  case command
}

/// The rule for where new secrets are stored and how the programs that keep them are run.
///
///     var rule = SecretRule()
///     rule.location = .command
///     rule.command = "/usr/local/bin/vmx-pass"
package struct SecretRule: Sendable {
  /// The time in milliseconds after which the user is notified which program vmx waits for.
  private static let noticeDelay: Int64 = 1000

  /// The location of new secrets (`secrets.store`).
  package var location = SecretLocation.file
  /// The program of `secrets.command`.
  package var command: FilePath?
  /// The timeout of each program in milliseconds (`secrets.timeout`).
  package var timeout: Int64 = 30_000
  /// Finds a program in PATH; called only when one is needed.
  package var program: @Sendable (String) -> FilePath? = { _ in nil }
  /// The environment of the programs.
  package var variables: [String: String] = [:]
  /// Receives a note for the user while vmx waits for a program.
  package var note: @Sendable (String) -> Void = { _ in }
  /// The request to stop this process.
  package var interruption: Interruption?

  /// Creates the rule that all secrets are kept in the file.
  package init() {}

  /// Returns the keeper of a new secret; nil for the file.
  ///
  /// - Parameter isTyped: whether the user typed it at a prompt.
  /// - Throws: `bad-setting`, `secret-locked`.
  func backend(isTyped: Bool) throws(Failure) -> (any SecretBackend)? {
    switch location {
    case .file: return nil
    case .service, .command: return try backend(location)
    case .auto:
      guard isTyped, variables["DBUS_SESSION_BUS_ADDRESS"]?.isEmpty == false,
        program(SecretService.tool) != nil
      else { return nil }
      return try backend(.service)
    }
  }

  /// Returns the keeper of a location.
  ///
  /// - Throws: `bad-setting`, `secret-locked`.
  func backend(_ location: SecretLocation) throws(Failure) -> any SecretBackend {
    if location == .command {
      guard let command else {
        throw Failure(
          .badSetting, "'secrets.command' is not set",
          hint: "set it to the program that stores secrets")
      }
      return SecretCommand(program: command, rule: self)
    }
    guard let tool = program(SecretService.tool) else {
      throw Failure(
        .secretLocked, "'secret-tool' is not installed",
        hint: "install it (Debian: libsecret-tools), or set 'secrets.store' to 'file'")
    }
    return SecretService(program: tool, rule: self)
  }

  /// Runs a program to its end and returns its exit status and output.
  ///
  /// - Throws: `secret-locked` if it could not be run, took too long, was killed or wrote too much;
  ///   `WorkEnded.interrupted`.
  fileprivate func run(
    _ program: FilePath, _ words: [String], input: String = ""
  ) throws -> (status: Int32, output: [UInt8]) {
    let name = "'\(program.lastComponent?.string ?? program.string) \(words[0])'"
    let given = try MemoryFile("vmx-secret", holding: Array(input.utf8))
    let notice = WaitNotice(after: Self.noticeDelay) {
      let advice =
        program.lastComponent?.string == SecretService.tool
        ? "; unlock the keyring if the desktop asks" : ""
      note("waiting up to \(DurationText.text(of: timeout)) for \(name)\(advice)")
    }
    var variables = variables
    variables["LC_ALL"] = "C"
    let captured: SpawnedProgram.CapturedOutput
    do throws(ProcessError) {
      captured = try SpawnedProgram.captureOutput(
        of: ProgramCall(
          program, words, environment: variables.map { "\($0.key)=\($0.value)" },
          input: given.descriptor), limit: 64 << 10, until: Deadline(milliseconds: timeout),
        or: interruption, notice: notice)
    } catch {
      throw Failure(.secretLocked, error.summary)
    }
    switch captured {
    case .ended(.exited(let status), let output, _): return (status, output)
    case .ended(.signalled(let signal), _, _):
      throw Failure(.secretLocked, "\(name) was killed by signal \(signal)")
    case .tooMuch: throw Failure(.secretLocked, "the output of \(name) is too long")
    case .timedOut:
      throw Failure(
        .secretLocked, "\(name) timed out after \(DurationText.text(of: timeout))")
    case .interrupted: throw WorkEnded.interrupted
    }
  }
}

/// A keeper of secrets outside the file. All methods block for at most the timeout of each program.
protocol SecretBackend: Sendable {
  /// The location as recorded in the references.
  var location: SecretLocation { get }
  /// Stores a one-line text under a reference and replaces an earlier one.
  ///
  /// - Throws: `secret-locked`; `WorkEnded.interrupted`.
  func store(_ text: String, as reference: String) throws
  /// Returns the text of a reference; nil if there is none.
  ///
  /// - Throws: as `store`.
  func text(of reference: String) throws -> [UInt8]?
  /// Removes the text of a reference, if there is one.
  ///
  /// - Throws: as `store`.
  func erase(_ reference: String) throws
}

extension SecretBackend {
  fileprivate func failure(_ doing: String, _ status: Int32) -> Failure {
    Failure(.secretLocked, "\(doing) a password failed (\(location.rawValue), status \(status))")
  }
}

/// The Secret Service, accessed with secret-tool.
private struct SecretService: SecretBackend {
  static let tool = "secret-tool"
  let program: FilePath
  let rule: SecretRule
  var location: SecretLocation { .service }

  // The user name is not an attribute: it may be a token, and attributes are arguments.
  private func attributes(_ reference: String) -> [String] {
    ["service", "vmx", "reference", reference]
  }

  func store(_ text: String, as reference: String) throws {
    let words = ["store", "--label=vmx: password \(reference)"] + attributes(reference)
    let status = try rule.run(program, words, input: text).status
    guard status == 0 else { throw failure("storing", status) }
  }

  func text(of reference: String) throws -> [UInt8]? {
    let (status, output) = try rule.run(program, ["lookup"] + attributes(reference))
    if status == 0 { return output }
    guard status == 1, try isAbsent(reference) else { throw failure("reading", status) }
    return nil
  }

  func erase(_ reference: String) throws {
    let status = try rule.run(program, ["clear"] + attributes(reference)).status
    guard try status == 0 || status == 1 && isAbsent(reference) else {
      throw failure("removing", status)
    }
  }

  /// Whether the service responds and has no such item. For a locked item `lookup` also exits with
  /// status 1, but `search` prints its label.
  private func isAbsent(_ reference: String) throws -> Bool {
    let (status, output) = try rule.run(program, ["search"] + attributes(reference))
    return status == 0 && output.isEmpty
  }
}

/// A program of the user, called with `get`, `store` or `erase`.
private struct SecretCommand: SecretBackend {
  let program: FilePath
  let rule: SecretRule
  var location: SecretLocation { .command }

  func store(_ text: String, as reference: String) throws {
    let status = try rule.run(
      program, ["store"], input: "id=\(reference)\nsecret=\(text)\n"
    ).status
    guard status == 0 else { throw failure("storing", status) }
  }

  func text(of reference: String) throws -> [UInt8]? {
    var (status, output) = try rule.run(program, ["get"], input: "id=\(reference)\n")
    guard status == 0 || status == 1 else { throw failure("reading", status) }
    if output.last == UInt8(ascii: "\n") { output.removeLast() }
    return status == 0 ? output : nil
  }

  func erase(_ reference: String) throws {
    let status = try rule.run(program, ["erase"], input: "id=\(reference)\n").status
    guard status == 0 || status == 1 else { throw failure("removing", status) }
  }
}
