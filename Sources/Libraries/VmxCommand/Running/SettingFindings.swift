import SystemPackage
package import VmxConfiguration
package import VmxModel
package import VmxSettings

extension SettingLayers {
  /// Returns the settings of an environment; a file that does not exist is skipped.
  ///
  /// - Throws: `bad-setting` with the position of the error.
  static func settings(of environment: Environment) throws(Failure) -> Settings {
    try settings(of: environment.variables, workFolder: environment.workFolder)
  }

  /// Returns the files that contain the settings of an environment.
  static func files(of environment: Environment) -> SettingsFiles {
    files(of: environment.variables, workFolder: environment.workFolder)
  }
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
