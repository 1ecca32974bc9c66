import SystemPackage
package import VmxLibrary
package import VmxModel
import VmxNaming
import VmxStore
import VmxSystem

// A picture is fetched once, and requested again only if its address or the feed of its show has
// changed. It needs a folder: that of a show without a ready episode does not exist. A folder with
// a picture of the user or another program stays as it is, and if all have one, nothing is
// requested.
//
// A picture is never worth a failed run. A failed request is recorded with the time of the next
// one, so that a picture that does not exist costs a request a week.

/// Fetches the pictures of shows into their folders.
///
///     let pictures = ShowPictures(tools, permits: { _ in true }, isMetered: service.isMetered,
///       send: service.send) { note($0) }
///     pictures.update(["meadow": false])
package struct ShowPictures: Sendable {
  private let tools: LibraryTools
  private let permits: @Sendable (Episode) -> Bool
  private let isMetered: @Sendable (String) throws -> Bool
  private let send: HTTPSending
  private let note: @Sendable (String) -> Void

  /// Prepares the fetch.
  ///
  /// - Parameters:
  ///   - permits: whether parental control allows an episode; without any, a picture is not
  ///     fetched.
  ///   - isMetered: whether a request for a URL would use a metered network that the user does not
  ///     allow.
  ///   - note: receives what was done and what has failed, without secrets.
  package init(
    _ tools: LibraryTools, permits: @escaping @Sendable (Episode) -> Bool,
    isMetered: @escaping @Sendable (String) throws -> Bool, send: @escaping HTTPSending,
    note: @escaping @Sendable (String) -> Void
  ) {
    self.tools = tools
    self.permits = permits
    self.isMetered = isMetered
    self.send = send
    self.note = note
  }

  private var store: LibraryStore { tools.store }

  /// Updates the pictures of the shows that feeds describe.
  ///
  /// - Parameter feeds: the feeds that were read, and whether the document of each has changed.
  package func update(ofFeeds feeds: [String: Bool]) {
    attempt {
      guard !feeds.isEmpty else { return }
      var shows: [String: Bool] = [:]
      let snapshot = try store.snapshot()
      snapshot.records(of: .show) { record in
        guard let show = snapshot.readableShow(record.id),
          let hasChanged = show.feed.flatMap({ feeds[$0] })
        else { return true }
        // The others would cost a pass over the library.
        if hasChanged || show.picture?.checked == nil { shows[record.id] = hasChanged }
        return true
      }
      update(shows)
    }
  }

  /// Updates the pictures of shows.
  ///
  /// - Parameter shows: the slugs, and whether the feed of each has changed.
  package func update(_ shows: [String: Bool]) {
    guard tools.nfo.isWanted, !store.isDryRun else { return }
    attempt {
      let snapshot = try store.snapshot()
      let wanted = shows.filter { slug, hasChanged in
        let request = snapshot.readableShow(slug)?.picture?.request(
          isMissing: true, isDescribedAgain: hasChanged, at: tools.clock.now)
        return request.map { $0 != .none } ?? false
      }
      let folders = try folders(of: wanted.keys.sorted(), in: snapshot)
      for (slug, hasChanged) in wanted.sorted(by: { $0.key < $1.key }) {
        guard !tools.shouldStop(), let folders = folders[slug] else { continue }
        update(slug, in: folders, isDescribedAgain: hasChanged)
      }
    }
  }

  /// The NFO file of a show, which its folder has or may get.
  private struct Place: Hashable {
    let root: String
    let path: String
  }

  /// Returns the folders of shows in the roots that are there.
  private func folders(
    of slugs: [String], in snapshot: StoreSnapshot
  ) throws -> [String: [FilePath]] {
    guard !slugs.isEmpty else { return [:] }
    var query = EpisodeQuery()
    query.shows = slugs
    let isWanted = Set(slugs)
    var places: [String: Set<Place>] = [:]
    let fields = EpisodeFields(
      [.showTitle, .ageRating, .parts], parts: [.role, .state, .path, .root])
    try snapshot.episodes(matching: query, decoding: fields) { episode in
      guard isWanted.contains(episode.id.show), let video = episode.readyVideo,
        let path = video.path, let root = video.root, permits(episode),
        let file = LibraryLayout.showDescription(
          above: path, of: episode.id, title: episode.showTitle)
      else { return true }
      places[episode.id.show, default: []].insert(Place(root: root, path: file))
      return true
    }
    return try places.mapValues { places in
      try places.compactMap { place in
        do {
          return try tools.mediaRoots.root(place.root).folder.appending(place.path).folder
        } catch let failure as Failure where failure.isOfUnreachableRoot {
          return nil
        }
      }.sorted { $0.string < $1.string }
    }
  }

  private func update(_ slug: String, in folders: [FilePath], isDescribedAgain: Bool) {
    guard let picture = readPicture(slug) else { return }
    do {
      let files = try folders.map { try ShowPictureFiles(in: $0, of: picture) }
        .filter(\.others.isEmpty)
      guard !files.isEmpty else { return }
      let present = files.first { !$0.own.isEmpty }
      let request = picture.request(
        isMissing: present == nil, isDescribedAgain: isDescribedAgain, at: tools.clock.now)
      if request == .none {
        // Another folder of the show came later.
        guard let name = present?.own.first, let bytes = try present?.bytes() else { return }
        for files in files where files.own.isEmpty { try files.write(bytes, as: name) }
      } else if try !isMetered(picture.url) || isMeteredOK(slug) {
        try fetch(picture, of: slug, request, into: files)
      }
    } catch {
      fail(Failure(error), picture, of: slug)
    }
  }

  private func fetch(
    _ picture: ShowPicture, of slug: String, _ kind: ShowPicture.Request,
    into folders: [ShowPictureFiles]
  ) throws {
    var request = HTTPRequest(
      picture.url, accepts: ["image/jpeg", "image/png"], limit: ImageCache.maxImageSize,
      allowsPrivateAddresses: !picture.isForeign)
    if kind == .ifChanged { request.validators = picture.validators }
    let response = try send(request)
    guard !response.isUnchanged else {
      return try record(picture, of: slug) { $0.succeed(picture.validators, at: tools.clock.now) }
    }
    let type = MediaKind.sniff(response.bytes)
    guard let type, type == .jpeg || type == .png else {
      throw Failure(
        .notMedia, "'\(URLRedaction.redacted(picture.url))' is not a JPEG or PNG picture")
    }
    let name = LibraryLayout.showPicture(withExtension: type.fileExtension)
    let digest = ShowPicture.digest(of: response.bytes)
    try record(picture, of: slug) {
      $0.record(digest, file: name, type: "image/\(type.rawValue)")
      $0.checked = nil
    }
    for files in folders { try files.write(response.bytes, as: name) }
    // Only now: after a crash before, the next run requests it again.
    try record(picture, of: slug) { $0.succeed(response.validators, at: tools.clock.now) }
    note("the picture of '\(slug)' is in '\(name)'")
  }

  /// Changes the picture in the record of a show, unless it has another address since; durable on
  /// return.
  private func record(
    _ picture: ShowPicture, of slug: String, _ change: (inout ShowPicture) -> Void
  ) throws {
    try store.update(.durable) { transaction in
      guard let before = transaction.readableShow(slug), var present = before.picture,
        present.url == picture.url
      else { throw Failure(.planChanged, "the picture of '\(slug)' has another address now") }
      change(&present)
      var show = before
      show.picture = present
      try transaction.write(show, replacing: before)
    }
    ShowSidecar.refresh(slug, on: tools.mediaRoots)
  }

  /// Notes a failure, and records the time of the next request, unless the failure is one of this
  /// machine or this run.
  private func fail(_ failure: Failure, _ picture: ShowPicture, of slug: String) {
    guard failure.code != .interrupted else { return }
    note("cannot fetch the picture of '\(slug)': \(failure.summary)")
    guard !failure.code.isLocal, failure.code != .planChanged else { return }
    attempt { try record(picture, of: slug) { $0.fail(at: tools.clock.now) } }
  }

  private func readPicture(_ slug: String) -> ShowPicture? {
    var picture: ShowPicture?
    attempt { picture = try store.snapshot().readableShow(slug)?.picture }
    return picture
  }

  private func isMeteredOK(_ slug: String) throws -> Bool {
    try store.snapshot().readableShow(slug)?.isMeteredOK ?? false
  }

  /// Performs a step, and notes its failure.
  private func attempt(_ body: () throws -> Void) {
    do {
      try body()
    } catch {
      note("cannot update the pictures of shows: \(Failure(error).summary)")
    }
  }
}
