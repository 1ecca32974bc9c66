/// The fields of settings in listings.
package enum SettingField: String, ListingField {
  case key, value, origin, layer, file, line, variable, effective, hidden, type, allowed
  case builtIn = "built_in"
  case meaning, words, outcome

  package static let defaultFields: [SettingField] = [.key, .value]

  package var key: FieldKey {
    switch self {
    case .key: FieldKey(.text, "The name of the setting", heading: "SETTING")
    case .value: FieldKey(.text, "The value, without passwords and tokens", fitting: .end)
    case .origin: FieldKey(.text, "The origin of the value", fitting: .middle)
    case .layer:
      FieldKey(
        .word, "built-in, system, user, named (by VMX_CONFIG), environment or parameter (-c)")
    case .file: FieldKey(.text, "The absolute path of the settings file", fitting: .middle)
    case .line: FieldKey(.number, "The line in the file, from 1")
    case .variable: FieldKey(.text, "The environment variable that sets it, or that has set it")
    case .effective: FieldKey(.boolean, "Whether no later layer or line overrides the value")
    case .hidden:
      FieldKey(.boolean, "true, if something was removed from the value that may be a secret")
    case .type: FieldKey(.word, "The kind of its values, as in vmx-config(5)")
    case .allowed: FieldKey(.text, "The allowed values", fitting: .end)
    case .builtIn: FieldKey(.text, "The built-in value", fitting: .end)
    case .meaning: FieldKey(.text, "The meaning", fitting: .end)
    case .words: FieldKey(.list, "Words that are values, for completions", fitting: .end)
    case .outcome: .outcome
    }
  }
}
