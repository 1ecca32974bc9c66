import VmxLibrary
package import VmxModel
package import VmxStore

/// Adds and removes favourite shows: records of kind `favourite`, whose id is the slug of the show.
///
///     let editor = FavouriteEditor(store: store, clock: clock)
///     let result = try editor.add(LibraryShow(show, slug: slug))
package struct FavouriteEditor: Sendable {
  /// A favourite after a change.
  package struct Edited: Sendable, Equatable {
    /// The show.
    package let show: LibraryShow
    /// Whether the store was changed.
    package let isChanged: Bool
  }

  private let store: LibraryStore
  private let clock: any WallClock

  /// Creates an editor of the favourites of a store.
  ///
  package init(store: LibraryStore, clock: any WallClock) {
    self.store = store
    self.clock = clock
  }

  /// Adds a show durably. An existing favourite keeps its time, and missing fields are filled in.
  ///
  /// - Throws: store errors.
  package func add(_ show: LibraryShow) throws -> Edited {
    let now = clock.now
    return try perform { transaction in
      let (favourite, isChanged) = try transaction.addFavourite(show, now: now)
      let tied = try transaction.knownShow(show.slug).tvmaze
      if show.isDescribed, tied == nil || tied == show.tvmaze {
        try transaction.describe(show, from: .feed, isCompletion: true)
      }
      return Edited(show: favourite, isChanged: isChanged)
    }
  }

  /// Removes a favourite durably. Episodes and other records of the show are not changed.
  ///
  /// - Throws: store errors.
  package func remove(_ slug: String) throws -> Edited {
    try perform { transaction in
      guard let before = transaction.record(.favourite, slug) else {
        return Edited(show: LibraryShow(slug: slug, title: nil), isChanged: false)
      }
      let favourite = try LibraryShow(before.fields, slug: slug)
      transaction.delete(.favourite, slug)
      return Edited(show: favourite, isChanged: true)
    }
  }

  private func perform(_ change: (inout StoreTransaction) throws -> Edited) throws -> Edited {
    let edited = try store.update(.durable, change)
    ShowSidecar.refresh(edited.show.slug, on: MediaRoots(store: store))
    return edited
  }
}

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
