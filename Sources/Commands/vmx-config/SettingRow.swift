import SystemPackage
import VmxCommand
import VmxConfiguration
import VmxModel
import VmxPresentation
import VmxSettings

/// A value of a setting, or the change of one, as a row.
struct SettingRow: ResultRow {
  private let setting: ListedSetting
  private let files: SettingsFiles
  let result: OperationResult?
  let stage = "config"

  /// Creates the row of a value.
  ///
  /// - Parameter result: the result of a change; nil in a listing.
  init(_ setting: ListedSetting, _ files: SettingsFiles, result: OperationResult? = nil) {
    self.setting = setting
    self.files = files
    self.result = result
  }

  var id: String { setting.name.text }
  var kind: RowKind? { .setting }

  func value(_ field: SettingField) -> RowValue {
    let facts = setting.name.facts
    return switch field {
    case .key: .text(id).styled(.strong)
    case .value: .text(setting.shownValue?.text).styled(setting.isEffective ? .plain : .dim)
    case .origin: .text(nonEmpty: originText + (setting.isEffective ? "" : " (overridden)"))
    case .layer: .word(layer)
    case .file: .text(place?.file)
    case .line: .number(place?.line)
    case .variable: .text(variable ?? facts?.variable)
    case .effective: .flag(setting.isEffective)
    case .hidden: .flag(omittingFalse: setting.shownValue?.isHidden == true)
    case .type: .word(facts?.kind.name)
    case .allowed: .text(facts?.kind.allowed)
    case .builtIn: .text(facts?.builtIn)
    case .meaning: .text(facts?.meaning)
    case .words: .list(nonEmpty: facts?.kind.words ?? [])
    case .outcome: outcome
    }
  }

  /// The origin of the value as one text: layer, file and line or variable.
  var originText: String {
    let parts = [layer, place.map { "\($0.file):\($0.line)" }, variable]
    return parts.compactMap { $0 }.joined(separator: " ")
  }

  private var place: (file: String, line: Int)? {
    if case .file(let path, let line)? = setting.value?.origin { (path, line) } else { nil }
  }

  private var variable: String? {
    if case .environment(let name)? = setting.value?.origin { name } else { nil }
  }

  private var layer: String? {
    switch setting.value?.origin {
    case nil: nil
    case .builtIn: "built-in"
    case .file(let path, _) where path != files.user?.string: "system"
    case .file: files.isNamed ? "named" : "user"
    case .environment: "environment"
    case .parameter, .option: "parameter"
    }
  }
}
