package import VmxModel

extension Settings {
  /// Returns the kinds of orders that a backend may give (`report.orders`).
  ///
  /// - Throws: `bad-setting`.
  package func allowedOrders() throws(Failure) -> Set<BackendOrder.Kind> {
    let key = SettingKey.reportOrders
    let words = (try text(key) ?? "").split { $0 == " " || $0 == "," }.map(String.init)
    var kinds: Set<BackendOrder.Kind> = []
    for word in words where word != "none" {
      guard let kind = BackendOrder.Kind(rawValue: word) else {
        let names = BackendOrder.Kind.allCases.map(\.rawValue).joined(separator: ", ")
        throw Failure(
          .badSetting, "'\(key.rawValue)' has '\(word)', must be one of \(names)",
          hint: "separate several by blanks")
      }
      kinds.insert(kind)
    }
    return kinds
  }
}
