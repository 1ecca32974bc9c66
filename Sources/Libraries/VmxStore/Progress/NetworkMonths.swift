package import VmxModel

/// The bytes that came over a network, month by month, as its record keeps them.
package struct NetworkMonths: Sendable, Equatable {
  private var bytes: [String: Int64]
  /// More than any network brings in a month; leaves room to add to it.
  private static let largest: Int64 = 1 << 60

  /// What a record of kind `network` tells; nothing without one, and no month whose count is no
  /// number.
  package init(of record: StoredRecord?) {
    let fields = record?.fields["months"]?.object?.fields ?? []
    bytes = Dictionary(
      fields.compactMap { field in
        field.value.integer.map { (field.key, min(max(0, $0), Self.largest)) }
      },
      uniquingKeysWith: { first, _ in first })
  }

  /// The bytes of a month such as `2026-11`; setting counts it.
  package subscript(month: String) -> Int64 {
    get { bytes[month] ?? 0 }
    set { bytes[month] = newValue }
  }

  /// The latest so many months as fields, in their order.
  package func latest(_ count: Int) -> JSONObject {
    var kept = JSONObject()
    for month in bytes.keys.sorted().suffix(count) {
      kept.append(month, bytes[month].map { .integer($0) })
    }
    return kept
  }
}
