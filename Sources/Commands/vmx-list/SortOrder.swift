import VmxBrowsing
import VmxModel
import VmxPresentation

/// The order given by `--sort`: a field, with a leading `-` for descending order.
struct SortOrder {
  private let field: EpisodeField
  private var buffer: SortBuffer

  /// - Throws: `usage` for an unknown field.
  init(_ text: String) throws(Failure) {
    let isDescending = text.hasPrefix("-")
    field = try EpisodeField.field(named: isDescending ? String(text.dropFirst()) : text)
    buffer = SortBuffer(numeric: Self.numeric.contains(field), descending: isDescending)
  }

  /// Adds a row; only its id and its key are kept.
  mutating func add(_ row: EpisodeRow) {
    buffer.add(id: row.exact(.id), key: row.exact(field))
  }

  /// Calls the body with the ids in order.
  func forEach(_ body: (String) throws -> Void) rethrows {
    try buffer.forEach(body)
  }

  private static let numeric: Set<EpisodeField> = [
    .rev, .season, .number, .priority, .size, .held,
  ]
}
