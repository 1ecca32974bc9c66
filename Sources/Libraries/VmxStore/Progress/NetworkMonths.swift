package import VmxModel

/// The bytes received over a network, by month, as stored in its record.
package struct NetworkMonths: Sendable, Equatable {
  private var bytes: [String: Int64]
  /// The limit of a month's count: more than any network transfers, and small enough to be added
  /// to.
  private static let largest: Int64 = 1 << 60

  /// Reads a record of kind `network`. Without a record the result is empty; months whose count is
  /// not a number are skipped.
  package init(of record: StoredRecord?) {
    let fields = record?.fields["months"]?.object?.fields ?? []
    bytes = Dictionary(
      fields.compactMap { field in
        field.value.integer.map { (field.key, min(max(0, $0), Self.largest)) }
      },
      uniquingKeysWith: { first, _ in first })
  }

  /// The bytes received in a month such as `2026-11`.
  package subscript(month: String) -> Int64 {
    get { bytes[month] ?? 0 }
    set { bytes[month] = newValue }
  }

  /// Returns the latest `count` months as fields, in ascending order.
  package func latest(_ count: Int) -> JSONObject {
    var kept = JSONObject()
    for month in bytes.keys.sorted().suffix(count) {
      kept.append(month, bytes[month].map { .integer($0) })
    }
    return kept
  }
}
