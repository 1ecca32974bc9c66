import VmxModel
import VmxStore
import VmxSystem

/// The facts that a report has in addition to the findings.
enum ReportFacts {
  /// Returns versions and sizes; no text that comes from outside vmx.
  static func facts(of measure: StoreMeasure?) -> [(name: String, value: String)] {
    var facts = [("vmx", Toolbox.version), ("system", systemDescription())]
    guard let measure else { return facts + [("store", "none that can be read")] }
    facts.append(("format", measure.format ?? "unknown"))
    facts.append(("epoch", measure.epoch.map { "\($0)" } ?? "unknown"))
    facts.append(("size", "\(measure.size)"))
    facts.append(("lines", "\(measure.lines)"))
    facts.append(("records", "\(measure.records)"))
    facts.append(("dead bytes", "\(measure.deadBytes)"))
    return facts
  }
}
