extension StoreSnapshot {
  /// The slugs of the favourite shows.
  package var favouriteShows: Set<String> {
    var shows: Set<String> = []
    records(of: .favourite) { record in
      shows.insert(record.id)
      return true
    }
    return shows
  }
}
