package import SystemPackage
package import VmxModel
package import VmxSettings
import VmxSystem

/// Merges the settings of a run: system files, user file, environment, `-c`. Each overrides the
/// previous one.
///
/// ```swift
/// let settings = try SettingLayers.settings(
///   of: ProcessStart.variables(), workFolder: ProcessStart.workFolder())
/// let jobs = try settings.integer(.fetchJobs)
/// ```
package enum SettingLayers {
  /// The variable that names the user's file.
  private static let configVariable = "VMX_CONFIG"
  /// The maximum size of a settings file.
  package static let maxSize = ByteCount(clamping: 4 << 20)

  /// Returns the settings of an environment; a file that does not exist is skipped.
  ///
  /// - Parameters:
  ///   - variables: the environment variables.
  ///   - workFolder: the folder to which a relative path in `VMX_CONFIG` is relative.
  /// - Throws: `bad-setting` with the position of the error.
  package static func settings(
    of variables: [String: String], workFolder: FilePath
  ) throws(Failure) -> Settings {
    var settings = Settings()
    let files = files(of: variables, workFolder: workFolder)
    for path in files.all {
      guard let bytes = try contents(of: path) else {
        if path == files.user, files.isNamed { settings.missingFile = path.string }
        continue
      }
      settings.add(try SettingsFile(bytes, path: path.string))
    }
    settings.add(environment: variables)
    let passed = variables[SettingsParameters.variable] ?? ""
    for parameter in try SettingsParameters.parameters(of: passed) {
      try settings.add(parameter: parameter)
    }
    return settings
  }

  /// Returns the files of an environment: `VMX_CONFIG`, else `vmx/config` in the folders of the XDG
  /// base directory specification.
  package static func files(
    of variables: [String: String], workFolder: FilePath
  ) -> SettingsFiles {
    let folders = variables["XDG_CONFIG_DIRS"].flatMap { $0.isEmpty ? nil : $0 } ?? "/etc/xdg"
    let system = folders.split(separator: ":").filter { $0.hasPrefix("/") }.reversed()
      .map { FilePath(String($0)).pushing("vmx/config") }
    if let value = variables[configVariable], !value.isEmpty {
      return SettingsFiles(
        system: system, user: workFolder.pushing(FilePath(value)), isNamed: true)
    }
    let base = baseFolder("XDG_CONFIG_HOME", beneathHome: ".config", in: variables)
    return SettingsFiles(system: system, user: base?.pushing("vmx/config"), isNamed: false)
  }

  /// Returns the bytes of a settings file; nil if it does not exist.
  ///
  /// - Throws: `bad-setting` if it cannot be read.
  package static func contents(of path: FilePath) throws(Failure) -> [UInt8]? {
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
