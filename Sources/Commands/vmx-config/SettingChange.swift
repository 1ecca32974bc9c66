import SystemPackage
import VmxCommand
import VmxModel
import VmxPresentation
import VmxSettings
import VmxSystem

/// One change of a setting in the user's file.
struct SettingChange {
  private let name: SettingName
  private let value: String?
  private let isAdded: Bool
  private let writer: SettingsWriter
  private let context: CommandContext
  private let interruption: Interruption

  /// Creates a change.
  ///
  /// - Parameters:
  ///   - value: the new value; nil to remove the setting.
  ///   - isAdded: whether to add a line to a setting whose lines add up.
  /// - Throws: `usage`, `unknown-setting` for a misspelt name, `bad-setting` for an invalid value.
  init(
    _ name: SettingName, _ value: String?, isAdded: Bool, in context: CommandContext
  ) throws {
    guard name.isWritable else {
      throw Failure(
        .usage, "'\(name.text)' is not a setting", hint: "give section and key, such as fetch.jobs")
    }
    if let value {
      if let failure = Settings().failure(ofName: name) { throw failure }
      try Self.check(value, of: name, in: context)
    }
    guard !isAdded || name.facts?.addsUp != false else {
      throw Failure(
        .usage, "'\(name.text)' has one value", hint: "omit --add: the last line of the key counts")
    }
    self.name = name
    self.value = value
    self.isAdded = isAdded
    self.context = context
    interruption = try Interruption.install()
    writer = try SettingsWriter(in: context, until: interruption)
  }

  /// Checks the new value; the hint about a relative path is the absolute one.
  private static func check(
    _ value: String, of name: SettingName, in context: CommandContext
  ) throws(Failure) {
    do throws(Failure) {
      try name.check(value)
    } catch {
      guard name.facts?.kind == .path, !value.isEmpty else { throw error }
      throw Failure(
        error.code, error.summary, hint: "give '\(context.environment.absolute(value))'")
    }
  }

  /// Performs the change.
  ///
  /// - Returns: the setting as the file has it, and the result.
  /// - Throws: the errors of `SettingsWriter.edit`; `unknown-setting` for the removal of a misspelt
  ///   name that the file does not contain.
  func perform() throws -> (ListedSetting, OperationResult) {
    let edit = try context.ending(by: interruption) { try writer.edit(edited) }
    if edit.isNew, !context.isDryRun {
      context.messages.note("created the settings file '\(writer.path)'")
    }
    let setting = ListedSetting(
      name, value, at: .file(writer.path.string, line: edit.result ?? 0))
    return (setting, OperationResult(isChanged: edit.isChanged))
  }

  /// Changes the text of the file, and returns the number of the line; nil for none.
  private func edited(_ text: inout SettingsText) throws -> Int? {
    let lines = text.lines(of: name)
    guard let value else {
      if lines.isEmpty, let failure = context.settings.failure(ofName: name) { throw failure }
      try text.unset(name)
      return nil
    }
    if !isAdded, name.facts?.addsUp == true, lines.count > 1 { throw manyLines(lines.count) }
    if !isAdded, let last = lines.last, last.value == value { return last.line }
    return try text.set(name, to: value, adding: isAdded)
  }

  /// Returns what the user should know after the change: its place, and a layer that overrides it.
  func notes(about row: SettingRow) -> [String] {
    let overriding = context.settings.all(name.text).filter {
      switch $0.origin {
      case .environment, .parameter: true
      default: false
      }
    }
    let place = "'\(writer.path)'"
    let isChanged = row.result == .done || row.result == .planned
    var notes: [String] = []
    switch (value, isChanged) {
    case (_?, _):
      notes.append("'\(name.text)' is \(isChanged ? "now " : "")'\(row.exact(.value))' in \(place)")
    case (nil, true): notes.append("'\(name.text)' is no longer set in \(place)")
    case (nil, false): notes.append("'\(name.text)' is not set in \(place)")
    }
    if let value, name.shown(value).isHidden, writer.isReadableByOthers {
      notes.append("other users can read \(place): run \"chmod 600 \(place)\"")
    }
    if name.facts?.addsUp != true, let last = overriding.last {
      notes.append("\(last.origin.phrase) overrides it in this environment")
    }
    return notes
  }

  private func manyLines(_ count: Int) -> Failure {
    Failure(
      .usage, "'\(name.text)' has \(count) lines in '\(writer.path)', which all count",
      hint: "add a line with --add, or edit the lines with 'vmx config edit'")
  }
}

extension CommandContext {
  /// Returns the values of a setting.
  ///
  /// - Throws: `unknown-setting`; the error for which a settings file cannot be read.
  func values(of name: SettingName) throws(Failure) -> [ListedSetting] {
    let settings = try readSettings()
    if let failure = settings.failure(ofName: name) { throw failure }
    return settings.values(of: name)
  }
}
