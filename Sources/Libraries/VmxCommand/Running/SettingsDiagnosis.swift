package import VmxModel

/// Checks the settings of a run.
package enum SettingsDiagnosis {
  /// Returns one finding: that all settings are readable and valid, or the first error.
  package static func finding(in context: CommandContext) -> Finding {
    do throws(Failure) {
      if let failure = context.settingsFailure { throw failure }
      try context.settings.validate()
      return .ok(.settings, "the settings can be read")
    } catch {
      return .failure(.settings, error)
    }
  }
}
