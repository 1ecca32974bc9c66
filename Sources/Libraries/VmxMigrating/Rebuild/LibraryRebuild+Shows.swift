import SystemPackage
import VmxLibrary
import VmxModel
import VmxStore

extension LibraryRebuild {
  /// Restores the records of shows from their sidecars. Each root may have one of a show: the
  /// latest of these and of the old store is restored.
  ///
  /// - Returns: the shows that their sidecars describe.
  func rebuildShows(
    in roots: [MediaRoot], with writer: RebuildWriter, report: Migrator.Report
  ) throws -> [LibraryShow] {
    var shows: [LibraryShow] = []
    var latest: [String: RecordedShow] = [:]
    for root in roots {
      for slug in try ShowSidecar.slugs(in: root) {
        guard let found = try recorded(slug, in: root, report: report) else { continue }
        if latest[found.slug].map({ $0.isLater(than: found) }) ?? false { continue }
        latest[found.slug] = found
      }
    }
    for (slug, found) in latest.sorted(by: { $0.key < $1.key }) {
      if let old = recordedBefore(slug), !old.isEmpty, !found.isLater(than: old) { continue }
      if let show = found.show {
        shows.append(show)
        try writer.append(StoredRecord(kind: .show, id: slug, fields: show.record))
      }
      if let favourite = found.favourite {
        try writer.append(StoredRecord(kind: .favourite, id: slug, fields: favourite.record))
      }
    }
    return shows
  }

  private func recorded(
    _ slug: Slug, in root: MediaRoot, report: Migrator.Report
  ) throws -> RecordedShow? {
    let path = root.folder.appending(LibraryLayout.sidecar(ofShow: slug))
    do {
      guard let found = try ShowSidecar(of: slug, below: root.folder).recorded else {
        throw Failure(.recordUnreadable, "the sidecar of a show cannot be read: '\(path)'")
      }
      return found
    } catch {
      try report(MigrationStep(.vmx, path: path.string), .failed(Failure(error)))
      return nil
    }
  }

  /// Returns what the old store has of a show; nil for nothing, also if that cannot be decoded.
  private func recordedBefore(_ slug: String) -> RecordedShow? {
    guard let base else { return nil }
    do throws(Failure) {
      return try RecordedShow(slug, in: base)
    } catch {
      return nil
    }
  }
}

extension RecordedShow {
  /// Whether its line was written later than that of another record of the show.
  fileprivate func isLater(than other: RecordedShow) -> Bool {
    let times = (at ?? Timestamp(milliseconds: .min), other.at ?? Timestamp(milliseconds: .min))
    return times.0 == times.1 ? rev > other.rev : times.0 > times.1
  }
}
