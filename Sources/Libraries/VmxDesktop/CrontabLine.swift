package import SystemPackage
import VmxModel
import VmxSystem

// Without a systemd user manager, cron starts the fetch. `crontab` reads and writes the user's
// table. All other lines of the table are left unchanged. A table that cannot be read is never
// written.

/// The line in the user's crontab that checks feeds and fetches wanted episodes each hour.
package struct CrontabLine: Sendable {
  /// The mark that identifies the line that vmx wrote.
  fileprivate static let mark = "# Written by 'vmx queue --install-timer'"
  private static let timeout: Int64 = 30_000
  private static let maxBytes = 1 << 20

  private let crontab: FilePath
  private let program: String
  private let feed: String
  private let environment: [String: String]

  /// Creates the line.
  ///
  /// - Parameters:
  ///   - crontab: the program that reads and writes the table.
  ///   - program: the absolute path of `vmx-fetch`.
  ///   - feed: the absolute path of `vmx-feed`.
  ///   - environment: the environment variables of the installing process.
  package init(crontab: FilePath, program: String, feed: String, environment: [String: String]) {
    self.crontab = crontab
    self.program = program
    self.feed = feed
    self.environment = environment
  }

  /// Installs the line; idempotent.
  ///
  /// - Returns: whether anything had to be changed.
  /// - Throws: `bad-setting` for a variable that does not fit on one line; `program-failed`.
  package func install(isDryRun: Bool) throws -> Bool {
    try InheritedVariables(environment).check()
    return try replace(by: [text], isDryRun: isDryRun)
  }

  /// Removes the line.
  ///
  /// - Returns: whether anything had to be changed.
  /// - Throws: `program-failed`.
  package func uninstall(isDryRun: Bool) throws -> Bool { try replace(by: [], isDryRun: isDryRun) }

  private func replace(by own: [String], isDryRun: Bool) throws -> Bool {
    let before = try lines()
    guard before.filter(\.isOwn) != own else { return false }
    let after = before.filter { !$0.isOwn } + own
    if !isDryRun { try write(after.map { "\($0)\n" }.joined()) }
    return true
  }

  /// The line. Its percent signs are escaped, since cron treats an unescaped one as a line end.
  private var text: String {
    let minute = StableHash.of(program) % 60
    let variables = InheritedVariables(environment)
    // A feed that fails does not stop the fetch.
    let command =
      "{ \(variables.command(feed, "update --quiet")); "
      + "\(variables.command(program, "--due --quiet")); }"
    let escaped = command.split(separator: "%", omittingEmptySubsequences: false)
      .joined(separator: "\\%")
    return "\(minute) * * * * \(escaped) </dev/null >/dev/null 2>&1 \(Self.mark)"
  }

  private func lines() throws -> [String] {
    let (ending, output, errors) = try run(["-l"], input: nil)
    if ending != .exited(0) {
      // For a user without a table, `crontab` prints this message and exits with status 1.
      guard output.isEmpty, errors.contains("no crontab for") else { throw failure("-l", errors) }
      return []
    }
    var lines = output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }

  private func write(_ table: String) throws {
    let input = try MemoryFile("vmx-crontab", holding: Array(table.utf8))
    let (ending, _, errors) = try run(["-"], input: input.descriptor)
    guard ending == .exited(0) else { throw failure("-", errors) }
  }

  private func run(
    _ words: [String], input: FileDescriptor?
  ) throws -> (SpawnedProgram.Ending, output: String, errors: String) {
    let captured = try SpawnedProgram.captureOutput(
      of: ProgramCall(
        crontab, words, environment: environment.map { "\($0.key)=\($0.value)" }, input: input),
      limit: Self.maxBytes, until: Deadline(milliseconds: Self.timeout))
    guard case .ended(let ending, let output, let errors) = captured else {
      throw failure(words[0], "it did not end, or its output is too long")
    }
    guard let text = String(validating: output, as: UTF8.self) else {
      throw failure(words[0], "the table is not UTF-8")
    }
    return (ending, text, String(decoding: errors, as: UTF8.self))
  }

  private func failure(_ word: String, _ errors: String) -> Failure {
    let line = errors.split(separator: "\n").first ?? ""
    return Failure(.programFailed, "'crontab \(word)' failed: \(line.lowercased())")
  }
}

extension String {
  /// Whether vmx wrote the line.
  fileprivate var isOwn: Bool { hasSuffix(CrontabLine.mark) }
}
