package import VmxModel
package import VmxStore

extension StoreSnapshot {
  /// Returns the favourites in the order in which they were added.
  ///
  /// - Throws: `store-damaged` for a record that cannot be decoded.
  package func favourites() throws -> [LibraryShow] {
    var shows: [LibraryShow] = []
    try records(of: .favourite) { record in
      shows.append(try LibraryShow(record.fields, slug: record.id))
      return true
    }
    return shows
  }
}
