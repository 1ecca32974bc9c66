package import SystemPackage
package import VmxModel
package import VmxSettings
import VmxSystem

/// Merges the settings of a run: system files, user file, environment, `-c`. Each overrides the
/// previous one.
enum SettingLayers {
  /// The variable that names the user's file.
  private static let configVariable = "VMX_CONFIG"
  /// The maximum size of a settings file.
  static let maxSize = ByteCount(clamping: 4 << 20)

  /// Returns the settings of this environment; a file that does not exist is skipped.
  ///
  /// - Throws: `bad-setting` with the position of the error.
  static func settings(of environment: Environment) throws(Failure) -> Settings {
    var settings = Settings()
    for path in files(of: environment).all {
      guard let bytes = try contents(of: path) else {
        if path == environment.path(configVariable) { settings.missingFile = path.string }
        continue
      }
      settings.add(try SettingsFile(bytes, path: path.string))
    }
    settings.add(environment: environment.variables)
    let passed = environment[SettingsParameters.variable] ?? ""
    for parameter in try SettingsParameters.parameters(of: passed) {
      try settings.add(parameter: parameter)
    }
    return settings
  }

  /// Returns the files of an environment: `VMX_CONFIG`, else `vmx/config` in the folders of the XDG
  /// base directory specification.
  static func files(of environment: Environment) -> SettingsFiles {
    let folders = environment["XDG_CONFIG_DIRS"].flatMap { $0.isEmpty ? nil : $0 } ?? "/etc/xdg"
    let system = folders.split(separator: ":").filter { $0.hasPrefix("/") }.reversed()
      .map { FilePath(String($0)).pushing("vmx/config") }
    let named = environment.path(configVariable)
    let base = environment.base("XDG_CONFIG_HOME", beneathHome: ".config")
    return SettingsFiles(
      system: system, user: named ?? base?.pushing("vmx/config"), isNamed: named != nil)
  }

  /// Returns the bytes of a settings file; nil if it does not exist.
  static func contents(of path: FilePath) throws(Failure) -> [UInt8]? {
    do throws(FileError) {
      return try readFile(path, limit: maxSize)
    } catch {
      throw Failure(
        error.code == .resourcesShort ? .resourcesShort : .badSetting,
        "cannot read the settings: \(error.summary)",
        hint: "check the file and its permissions")
    }
  }
}

/// The files that contain the settings of an environment.
package struct SettingsFiles: Sendable {
  /// The system's files, lowest priority first.
  package let system: [FilePath]
  /// The user's file, which overrides them; nil if neither a variable nor `HOME` determines it.
  package let user: FilePath?
  /// Whether the variable `VMX_CONFIG` names the user's file.
  package let isNamed: Bool

  /// All files, lowest priority first.
  package var all: [FilePath] { system + (user.map { [$0] } ?? []) }
}

extension CommandContext {
  /// The files that contain the settings.
  package var settingsFiles: SettingsFiles { SettingLayers.files(of: environment) }

  /// Returns the settings, also where one of those that every tool uses is invalid.
  ///
  /// - Throws: `bad-setting` for a file or variable that cannot be parsed.
  package func readSettings() throws(Failure) -> Settings {
    settingsFailure == nil ? settings : try SettingLayers.settings(of: environment)
  }

  /// Reads the user's settings file alone; a missing one is empty.
  ///
  /// - Throws: `bad-setting` with the position of the error.
  package func settingsFile() throws(Failure) -> SettingsFile {
    guard let path = settingsFiles.user else { return try SettingsFile([], path: "") }
    return try SettingsFile(try SettingLayers.contents(of: path) ?? [], path: path.string)
  }

  /// Warns about settings with misspelt names, and about a settings file that does not exist.
  package func warnOfSettings() {
    for warning in settings.warnings { messages.warn(warning) }
  }

  /// The findings about the settings: `settingsFinding`, misspelt names as problems, and sections
  /// unknown to vmx as notes.
  package var settingsFindings: [Finding] {
    let sections = Set(
      settings.unknown.filter { !$0.isMisspelt }.map { unknown in
        String(unknown.key.prefix { $0 != "." })
      })
    return [settingsFinding] + settings.warnings.map { .failure(.settings, $0) }
      + sections.sorted().map {
        .note(.settings, "unknown section", of: "[\($0)]")
      }
  }

  /// The finding about the settings: that all of them are readable and valid, or the first error.
  package var settingsFinding: Finding {
    do throws(Failure) {
      if let settingsFailure { throw settingsFailure }
      try settings.validate()
      return .ok(.settings, "the settings are valid")
    } catch {
      return .failure(.settings, error)
    }
  }
}
