package import SystemPackage
import VmxJSON
package import VmxModel
package import VmxStore
package import VmxSystem

// A show has no disk of its own: its sidecar is in each root that has files of it. It is written
// with the sidecars of the episodes, and replaced where there is one as soon as the record changes.
// One that could not be written then, as on a disk that was away, is written by `vmx clean`.
//
// The store has the show, so a failure to write is no failure of the run. A record that cannot be
// decoded writes nothing: the sidecar may be the only good copy of it.

/// The record of a show beside its media, `.vmx/shows/<show>.json`, from which a rebuild restores
/// its title, description, rules and mark.
///
///     ShowSidecar.refresh("girls", on: mediaRoots)
package struct ShowSidecar: Sendable {
  /// The slug of the show.
  package let slug: Slug
  let path: FilePath
  private let bytesBefore: [UInt8]?
  private let before: JSONObject?

  /// Reads the sidecar of a show, if it exists.
  ///
  /// - Throws: `FileError` if it exists and cannot be read.
  package init(of slug: Slug, below root: FilePath) throws(FileError) {
    self.slug = slug
    path = root.appending(LibraryLayout.sidecar(ofShow: slug))
    bytesBefore = try RegularFile.prefixIfPresent(of: path, upTo: Self.maxBytes)
    before = bytesBefore.flatMap { JSONParser().object(in: $0) }
  }

  private static let maxBytes = 1 << 20

  /// Whether the file exists.
  package var exists: Bool { bytesBefore != nil }

  /// The number of the line of the store that it has; 0 if it names none.
  private var rev: Int64 { before?["rev"]?.integer ?? 0 }

  /// The time of that line.
  private var at: Timestamp? { before?["at"]?.string.flatMap { Timestamp($0) } }

  /// The show that it describes; nil if it is invalid or of another show.
  package var recorded: RecordedShow? {
    guard let before, before["id"]?.string == slug.description else { return nil }
    do throws(Failure) {
      let show = try decoded(before["record"])
      let favourite = try decoded(before["favourite"])
      guard show != nil || favourite != nil else { return nil }
      return RecordedShow(slug.description, show, favourite: favourite, rev: rev, at: at)
    } catch {
      // An invalid sidecar counts as no information, whatever the error is.
      return nil
    }
  }

  private func decoded(_ fields: JSONValue?) throws(Failure) -> LibraryShow? {
    guard let fields = fields?.object else { return nil }
    return try LibraryShow(fields, slug: slug.description).stripped
  }

  /// Returns what it has and the store has lost, as after a home was restored from a backup: a
  /// record of a line that the store does not have and that is later, else the values that a person
  /// set later. A store without any record of the show has lost it.
  ///
  /// - Parameters:
  ///   - known: the records of the store.
  ///   - lastRev: the number of the last line of the store.
  ///   - now: the current time; a time that is ahead of it was written by a wrong clock.
  ///   - mayRate: whether the age rating may change.
  /// - Returns: the records with these values; nil if the store lacks none.
  package func restoring(
    _ known: RecordedShow, lastRev: Int64, now: Timestamp, mayRate: Bool
  ) -> RecordedShow? {
    guard let recorded else { return nil }
    if known.isEmpty { return recorded }
    var restored = known
    let isLater = recorded.at.map { at in
      !TrustedClock.isAhead(at, of: now) && known.at.map { $0 < at } ?? true
    }
    if rev > lastRev, isLater == true {
      restored.show = recorded.show ?? known.show
      restored.favourite = recorded.favourite
      if !mayRate { restored.show?.ageRating = known.show?.ageRating }
    } else if let show = recorded.show {
      restored.show?.takeValues(of: show, mayRate: mayRate) {
        !TrustedClock.isAhead($0, of: now)
      }
    }
    return restored.show == known.show && restored.favourite == known.favourite ? nil : restored
  }

  /// Whether it differs from the records of the store by more than a day that only the episodes of
  /// the show tell.
  package func isOutdated(for known: RecordedShow) -> Bool {
    guard let recorded else { return true }
    return recorded.show?.withoutDerivedDay != known.show?.stripped.withoutDerivedDay
      || recorded.favourite != known.favourite?.stripped
  }

  /// Whether it has the records of the store.
  private func describes(_ known: RecordedShow) -> Bool {
    before?["record"]?.object == known.show?.record
      && before?["favourite"]?.object == known.favourite?.record
  }

  /// Returns the content of the sidecar for the records of the store.
  static func bytes(of known: RecordedShow) -> [UInt8] {
    var object = JSONObject()
    object.append("schema", 1)
    object.append("id", known.slug)
    object.append("rev", .integer(known.rev))
    object.append("at", known.at?.text)
    object.append("record", known.show.map { .object($0.record) })
    object.append("favourite", known.favourite.map { .object($0.record) })
    var bytes: [UInt8] = []
    JSONWriter.append(object, to: &bytes)
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }
}

extension ShowSidecar {
  /// Writes the temporary file of the sidecar of a show.
  ///
  /// - Parameter isNew: whether a sidecar that does not exist is written.
  /// - Returns: nil if nothing is to be written: it is up to date or newer than the store, or the
  ///   store has no record of the show.
  /// - Throws: `store-damaged` for a record that cannot be decoded, and errors of the store and the
  ///   file system.
  static func draft(
    of slug: String, isNew: Bool = true, below root: FilePath, in store: LibraryStore
  ) throws -> TemporaryFile? {
    guard let slug = Slug(valid: slug), !store.isDryRun else { return nil }
    let sidecar = try ShowSidecar(of: slug, below: root)
    guard sidecar.exists || isNew else { return nil }
    let snapshot = try store.snapshot()
    let known = try RecordedShow(slug.description, in: snapshot)
    guard !known.isEmpty, !sidecar.describes(known),
      sidecar.restoring(
        known, lastRev: snapshot.lastRev, now: store.now, mayRate: store.allowsRatingChanges) == nil
    else { return nil }
    return try TemporaryFile(of: sidecar.path, bytes(of: known), makesFolder: true)
  }

  /// Writes the sidecar of a show to a root; durable on return.
  ///
  /// - Returns: whether anything was written.
  /// - Throws: as `draft`.
  package static func write(
    _ slug: String, to root: MediaRoot, in store: LibraryStore
  ) throws -> Bool {
    guard let draft = try draft(of: slug, below: root.folder, in: store) else { return false }
    draft.flush()
    draft.rename()
    try draft.result()
    try syncFolder(draft.folder)
    return true
  }

  /// Writes the current records of a show to its sidecars in the present roots.
  ///
  /// Failures are ignored: the store has the records, and `vmx clean` repeats the write.
  package static func refresh(_ slug: String, on mediaRoots: MediaRoots) {
    forEachRoot(mediaRoots) { root in
      guard let draft = try draft(of: slug, isNew: false, below: root, in: mediaRoots.store) else {
        return
      }
      draft.flush()
      draft.rename()
    }
  }

  /// Writes the sidecars of a renamed show under its new slug, and removes those of the old one.
  ///
  /// Failures are ignored: `vmx clean` writes the one and removes the other.
  package static func move(_ old: String, to new: String, on mediaRoots: MediaRoots) {
    guard let old = Slug(valid: old), !mediaRoots.store.isDryRun else { return }
    forEachRoot(mediaRoots) { root in
      let before = try ShowSidecar(of: old, below: root)
      guard before.exists else { return }
      let draft = try draft(of: new, below: root, in: mediaRoots.store)
      draft?.flush()
      draft?.rename()
      try draft?.result()
      try RegularFile.remove(before.path)
    }
  }

  private static func forEachRoot(_ mediaRoots: MediaRoots, _ body: (FilePath) throws -> Void) {
    do {
      for root in try mediaRoots.presentRoots(skippingUnreadable: true) {
        do { try body(root.folder) } catch { continue }
      }
    } catch {
      // The store has the records.
    }
  }

  /// Returns the slugs of the sidecars of shows in a root, sorted.
  ///
  /// - Throws: `FileError`.
  package static func slugs(in root: MediaRoot) throws(FileError) -> [Slug] {
    let path = root.folder.appending(LibraryLayout.Folder.shows.path)
    guard try FileFacts.of(path) != nil else { return [] }
    var slugs: [Slug] = []
    let folder = try OpenFolder(path)
    while let entry = try folder.next() {
      guard entry.kind == .file else { continue }
      if let slug = LibraryLayout.show(ofSidecar: PathBytes(entry.name)) { slugs.append(slug) }
    }
    return slugs.sorted { $0.description < $1.description }
  }
}
