import VmxCommand
import VmxConfiguration
import VmxModel
import VmxPresentation
import VmxSettings

/// The explanation of a setting, as labelled lines.
struct SettingDetails {
  private let name: SettingName
  private let rows: [SettingRow]
  private let values: [ListedSetting]

  /// Creates the explanation of a setting with its values in ascending precedence.
  init(_ name: SettingName, _ values: [ListedSetting], files: SettingsFiles) {
    self.name = name
    self.values = values
    rows = values.map { SettingRow($0, files) }
  }

  /// The lines.
  var details: Details {
    var lines: [Details.Line] = []
    if let facts = name.facts {
      lines = [
        Details.Line("meaning", facts.meaning + "."),
        Details.Line("type", facts.kind.name),
        Details.Line("allowed", facts.kind.allowed),
        Details.Line("built-in", facts.builtIn ?? "none"),
      ]
    } else if name.isAlias {
      lines = [Details.Line("meaning", "An alias: 'vmx NAME' runs the value as a command line.")]
    } else {
      lines = [Details.Line("meaning", "unknown to vmx; perhaps a setting of another program")]
    }
    let effective = zip(values, rows).filter(\.0.isEffective).map(\.1)
    if effective.isEmpty { lines.append(Details.Line("value", "not set")) }
    for row in effective {
      lines.append(Details.Line("value", row.exact(.value), style: .strong))
      lines.append(Details.Line("from", row.originText))
    }
    for (value, row) in zip(values, rows).reversed() where !value.isEffective {
      guard value.value?.origin != .builtIn else { continue }
      lines.append(Details.Line("overridden", "\(row.exact(.value)), from \(row.originText)"))
    }
    if let variable = name.facts?.variable { lines.append(Details.Line("variable", variable)) }
    if name.facts?.isForFilesAlone == true {
      lines.append(Details.Line("only in", "settings files, not the environment or -c"))
    }
    if name.facts?.addsUp == true {
      lines.append(Details.Line("lines", "all count, up to one with an empty value"))
    }
    lines.append(Details.Line("more", name.isAlias ? "man vmx-plugins" : "man 5 vmx-config"))
    return Details(heading: name.text, lines: lines)
  }
}
