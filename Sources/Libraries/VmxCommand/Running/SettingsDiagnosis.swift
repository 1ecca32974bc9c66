package import VmxModel

/// Examines the settings of a run.
package enum SettingsDiagnosis {
  /// One finding: that all of them can be read and have values that are allowed, or the first that
  /// is not so.
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
