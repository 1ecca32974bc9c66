/// The fields of a plugin or alias in listings.
package enum PluginField: String, ListingField {
  case name, kind, summary, version, warnings, path, source, hiddenBy = "hidden_by"

  package static let defaultFields: [PluginField] = [.name, .summary, .version, .warnings, .path]

  package var key: FieldKey {
    switch self {
    case .name: FieldKey(.word, "The name, as typed after vmx", importance: 3)
    case .kind: FieldKey(.word, "plugin or alias")
    case .summary:
      FieldKey(
        .text, "The purpose of a plugin; the text of an alias", fitting: .end, importance: 2)
    case .version: FieldKey(.text, "The version that the plugin states", fitting: .end)
    case .warnings: FieldKey(.list, "The problems, as in vmx-plugin(1)", importance: 1)
    case .path: FieldKey(.text, "The executable, or the settings file", fitting: .middle)
    case .source: FieldKey(.word, "exec-path, vmx, path or settings")
    case .hiddenBy: FieldKey(.text, "The executable that is run instead", fitting: .middle)
    }
  }
}
