package import SystemPackage
package import VmxModel
import VmxSystem

/// The person's systemd, as far as a timer needs it.
package protocol UnitControl: Sendable {
  /// Runs `systemctl --user` with these words.
  ///
  /// - Throws: `user-manager-away` with its own words if it does not do it.
  func perform(_ words: [String]) throws(Failure)
}

// The files come first and the manager is told afterwards: where there is none at this moment, as
// over cron or su, the files are right all the same, and one command in a session enables them.

/// Installs a timer that works in the background, and takes it away.
package struct SystemdTimer: Sendable {
  private let folder: FilePath
  private let units: TimerUnits
  private let manager: any UnitControl

  /// A desk that puts units into a folder of the person's systemd.
  package init(folder: FilePath, units: TimerUnits, manager: any UnitControl) {
    self.folder = folder
    self.units = units
    self.manager = manager
  }

  /// One of the files, and whether anything had to be changed.
  package struct Change: Sendable, Equatable {
    /// The file.
    package let path: FilePath
    /// Whether it was written or removed.
    package let isChanged: Bool
  }

  /// Writes the units and starts the timer; again is harmless.
  ///
  /// - Parameters:
  ///   - isRehearsal: whether only to tell what would be done.
  ///   - report: told of each file once it is there.
  /// - Throws: `name-taken` for a file that is not ours, `user-manager-away` if the timer could not
  ///   be started, and what the disk throws.
  package func install(isDryRun: Bool, report: (Change) throws -> Void) throws {
    let before = try units.all.map { try (unit: $0, text: ours($0)) }
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
      try manager.perform(["enable", "--now", "--quiet", units.timer.name])
    } catch {
      throw Failure(
        error.code, error.summary,
        hint: "in a session of your own: systemctl --user enable --now \(units.timer.name)")
    }
  }

  /// Whether the units are there as they would be written now, and the timer is to start with each
  /// session.
  ///
  /// - Throws: `name-taken` for a file that is not ours, `user-manager-away` if it is not enabled,
  ///   or the manager cannot tell, and what the disk throws.
  package func isInForce() throws -> Bool {
    guard try units.all.allSatisfy({ try ours($0) == $0.text }) else { return false }
    try manager.perform(["is-enabled", units.timer.name])
    return true
  }

  /// Stops the timer and removes the units; what runs goes on to its end.
  ///
  /// - Parameters:
  ///   - isRehearsal: whether only to tell what would be done.
  ///   - report: told of each file once it is gone.
  /// - Returns: why the manager could not be told, which the next session makes good; nil if it
  ///   was, or had nothing to be told.
  /// - Throws: `name-taken` for a file that is not ours, and what the disk throws.
  package func uninstall(
    isDryRun: Bool, report: (Change) throws -> Void
  ) throws -> Failure? {
    let isThere = try units.all.reversed().map { try (name: $0.name, isThere: ours($0) != nil) }
    let isNeeded = isThere.contains { $0.isThere } && !isDryRun
    var problem = isNeeded ? told(["disable", "--now", "--quiet", units.timer.name]) : nil
    for (name, isThere) in isThere {
      let path = folder.appending(name)
      if isThere, !isDryRun { try MediaFile.remove(path) }
      try report(Change(path: path, isChanged: isThere))
    }
    if isNeeded {
      // What the manager would have removed, had it been there.
      try MediaFile.remove(
        folder.appending("timers.target.wants").appending(units.timer.name))
      problem = told(["daemon-reload"]) ?? problem
    }
    return problem
  }

  private func told(_ words: [String]) -> Failure? {
    do throws(Failure) {
      try manager.perform(words)
      return nil
    } catch {
      return error
    }
  }

  /// What stands in the file of a unit; nil if there is none.
  private func ours(_ unit: TimerUnits.Unit) throws -> String? {
    let path = folder.appending(unit.name)
    guard let bytes = try MediaFile.prefixIfPresent(of: path, upTo: 64 << 10) else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.hasPrefix(units.mark) else {
      throw Failure(
        .nameTaken, "the unit was not written by vmx: '\(path)'",
        hint: "move it away, or give it another name")
    }
    return text
  }
}
