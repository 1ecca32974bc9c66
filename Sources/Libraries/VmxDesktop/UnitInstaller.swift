package import SystemPackage
package import VmxModel
import VmxSystem

/// The operations of the systemd user manager that vmx uses.
package protocol UnitControl: Sendable {
  /// Runs `systemctl --user` with these arguments.
  ///
  /// - Throws: `user-manager-away` with the output of `systemctl` if that fails.
  func perform(_ words: [String]) throws(Failure)
}

/// The systemd user manager, controlled through `systemctl`.
package struct Systemctl: UnitControl {
  private static let timeout: Int64 = 30_000

  private let environment: [String: String]

  /// Creates a controller.
  ///
  /// - Parameter environment: the tool's environment variables, which contain the address of the
  ///   manager's bus.
  package init(_ environment: [String: String]) {
    self.environment = environment
  }

  package func perform(_ words: [String]) throws(Failure) {
    let command = "systemctl --user \(words.joined(separator: " "))"
    let captured: SpawnedProgram.CapturedOutput
    do throws(ProcessError) {
      captured = try SpawnedProgram.captureOutput(
        of: ProgramCall(
          "/bin/sh", ["-c", #"exec systemctl --user "$@""#, "sh"] + words,
          environment: environment.map { "\($0.key)=\($0.value)" }), limit: 4096,
        until: Deadline(milliseconds: Self.timeout))
    } catch {
      throw Failure(error)
    }
    var text = ""
    if case .ended(let ending, let output, let errors) = captured {
      if ending == .exited(0) { return }
      text = String(decoding: errors + output, as: UTF8.self)
    }
    let line = text.split(separator: "\n").first ?? ""
    throw Failure(.userManagerAway, "'\(command)' failed: \(line.lowercased())")
  }
}

// The unit files are written before the manager is called. Without a running manager, as under cron
// or su, the files are correct nevertheless, and one command in a session enables them.

/// Installs and removes units of the user's systemd.
///
///     let installer = UnitInstaller(folder: folder, units: units, manager: Systemctl(variables))
///     try installer.install(isDryRun: false) { print($0.path) }
package struct UnitInstaller: Sendable {
  private let folder: FilePath
  private let units: UserUnits
  private let manager: any UnitControl

  /// Creates an installer for units in a folder of the systemd user manager.
  package init(folder: FilePath, units: UserUnits, manager: any UnitControl) {
    self.folder = folder
    self.units = units
    self.manager = manager
  }

  /// A unit file, and whether it had to be changed.
  package struct Change: Sendable, Equatable {
    /// The file.
    package let path: FilePath
    /// Whether it was written or removed.
    package let isChanged: Bool
  }

  /// Writes the units, enables them and starts them; idempotent.
  ///
  /// - Parameters:
  ///   - isDryRun: whether only to report the effect.
  ///   - report: called with each file once it is written.
  /// - Throws: `name-taken` for a file that vmx did not write, `user-manager-away` if the units
  ///   could not be started, and errors of the file system.
  package func install(isDryRun: Bool, report: (Change) throws -> Void) throws {
    let before = try units.all.map { try (unit: $0, text: ownText(of: $0)) }
    for (unit, text) in before {
      let path = folder.appending(unit.name)
      if text != unit.text, !isDryRun {
        try makeFolders(folder)
        try AtomicFile.replace(
          path, with: Array(unit.text.utf8), mode: [.ownerReadWrite, .groupRead, .otherRead],
          durable: true)
      }
      try report(Change(path: path, isChanged: text != unit.text))
    }
    guard !isDryRun else { return }
    do throws(Failure) {
      try manager.perform(["daemon-reload"])
      try manager.perform(["enable", "--now", "--quiet", units.enabled.name])
    } catch {
      throw Failure(
        error.code, error.summary,
        hint: "log in and run systemctl --user enable --now \(units.enabled.name)")
    }
  }

  /// Whether the units have the content that `install` would write now, and they are enabled
  /// for each session.
  ///
  /// - Throws: `name-taken` for a file that vmx did not write, `user-manager-away` if they are not
  ///   enabled or the manager does not respond, and errors of the file system.
  package func isInstalled() throws -> Bool {
    guard try units.all.allSatisfy({ try ownText(of: $0) == $0.text }) else { return false }
    try manager.perform(["is-enabled", units.enabled.name])
    return true
  }

  /// Stops the enabled unit and removes the units; a service that a timer has started runs to its
  /// end.
  ///
  /// - Parameters:
  ///   - isDryRun: whether only to report the effect.
  ///   - report: called with each file once it is removed.
  /// - Returns: the reason why the manager could not be called; nil if it was called, or if no call
  ///   was needed. The next session of the user corrects the state.
  /// - Throws: `name-taken` for a file that vmx did not write, and errors of the file system.
  package func uninstall(
    isDryRun: Bool, report: (Change) throws -> Void
  ) throws -> Failure? {
    let isThere = try units.all.reversed().map {
      try (name: $0.name, isThere: ownText(of: $0) != nil)
    }
    let isNeeded = isThere.contains { $0.isThere } && !isDryRun
    var problem = isNeeded ? failure(of: ["disable", "--now", "--quiet", units.enabled.name]) : nil
    for (name, isThere) in isThere {
      let path = folder.appending(name)
      if isThere, !isDryRun { try RegularFile.remove(path) }
      try report(Change(path: path, isChanged: isThere))
    }
    if isNeeded {
      // `systemctl disable` removes this link, unless no manager is running.
      try RegularFile.remove(
        folder.appending("\(units.target).wants").appending(units.enabled.name))
      problem = failure(of: ["daemon-reload"]) ?? problem
    }
    return problem
  }

  /// Runs `systemctl --user`; returns the reason for a failure, else nil.
  private func failure(of words: [String]) -> Failure? {
    do throws(Failure) {
      try manager.perform(words)
      return nil
    } catch {
      return error
    }
  }

  /// Reads the file of a unit; nil if there is none.
  ///
  /// - Throws: `name-taken` if vmx did not write it.
  private func ownText(of unit: UserUnits.Unit) throws -> String? {
    let path = folder.appending(unit.name)
    guard let bytes = try RegularFile.prefixIfPresent(of: path, upTo: 64 << 10) else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.hasPrefix(units.mark) else {
      throw Failure(
        .nameTaken, "the unit was not written by vmx: '\(path)'",
        hint: "move or rename it")
    }
    return text
  }
}
