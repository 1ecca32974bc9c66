package import VmxModel

extension RecordLookup {
  /// Returns the record of a show or favourite; nil if there is none.
  ///
  /// - Throws: `store-damaged`.
  package func show(_ slug: String, _ kind: RecordKind = .show) throws(Failure) -> LibraryShow? {
    guard let record = record(kind, slug) else { return nil }
    return try LibraryShow(record.fields, slug: slug)
  }

  /// Returns the record of a show; nil also if it cannot be decoded, for output that must not
  /// depend on it.
  package func readableShow(_ slug: String) -> LibraryShow? {
    do throws(Failure) {
      return try show(slug)
    } catch {
      return nil
    }
  }
}
