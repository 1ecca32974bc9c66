import SystemPackage
import VmxCommand
import VmxModel
import VmxSettings
import VmxSystem

/// Opens the user's settings file in an editor, and checks it afterwards.
struct SettingsEditor {
  private static let newFile = """
    # Settings of vmx. 'vmx config list --all' lists them, 'vmx config explain KEY' explains one.

    """
  private let context: CommandContext
  private let writer: SettingsWriter

  /// Creates an editor of the user's file.
  ///
  /// - Throws: `bad-setting` if no variable determines the file.
  init(in context: CommandContext) throws {
    self.context = context
    writer = try SettingsWriter(in: context, until: try Interruption())
  }

  /// Edits the file until it is valid, or the user declines to edit it again.
  ///
  /// - Throws: `program-missing`, `program-failed`; `bad-setting` for an invalid file; the errors
  /// of
  ///   a new file.
  func edit() throws {
    if try writer.create(Self.newFile) {
      context.messages.note("created the settings file '\(writer.path)'")
    }
    while true {
      try runEditor()
      let findings = try findings()
      let errors = findings.filter { $0.code != .unknownSetting }
      if findings.isEmpty { return }
      guard context.isInteractive else {
        for warning in findings where warning.code == .unknownSetting {
          context.messages.warn(warning)
        }
        guard let first = errors.first else { return }
        for error in errors.dropLast() { context.messages.report(error) }
        throw errors.last ?? first
      }
      for finding in findings { context.messages.report(finding) }
      let answer = try context.prompt(to: "edit the file again? [Y/n] ", until: nil)
      if answer == "n" || answer == "no" {
        throw CommandExit.status(errors.isEmpty ? .success : .configuration)
      }
    }
  }

  /// Runs the editor of the user with the file, as git does: by the shell, since the variable may
  /// contain options.
  private func runEditor() throws {
    let editor = try editor()
    let call = ProgramCall(
      "/bin/sh", ["-c", "\(editor) \"$@\"", editor, writer.path.string],
      environment: context.environment.variables.map { "\($0.key)=\($0.value)" },
      input: .standardInput)
    switch try runInForeground(call) {
    case .exited(0): return
    case .exited(127):
      throw Failure(
        .programMissing, "cannot run the editor '\(editor)'",
        hint: "name an installed editor in VMX_EDITOR, VISUAL or EDITOR")
    case .exited(let status):
      throw Failure(.programFailed, "the editor '\(editor)' ended with status \(status)")
    case .signalled(let signal):
      throw Failure(.programFailed, "the editor '\(editor)' was ended by signal \(signal)")
    }
  }

  private func editor() throws(Failure) -> String {
    let isDumb = context.environment["TERM"].map { $0 == "dumb" || $0.isEmpty } ?? true
    let names = isDumb ? ["VMX_EDITOR", "EDITOR"] : ["VMX_EDITOR", "VISUAL", "EDITOR"]
    let chosen = names.lazy.compactMap { context.environment[$0] }.first { !$0.isEmpty }
    if let chosen { return chosen }
    guard !isDumb, context.isInteractive else {
      throw Failure(
        .usage, "no terminal for an editor",
        hint: "name an editor in VMX_EDITOR, or change a setting with 'vmx config set'")
    }
    return "vi"
  }

  /// The errors and misspelt names in the file.
  private func findings() throws -> [Failure] {
    do throws(Failure) {
      var settings = Settings()
      settings.add(try context.settingsFile())
      return settings.invalidValues + settings.warnings
    } catch {
      return [error]
    }
  }
}
