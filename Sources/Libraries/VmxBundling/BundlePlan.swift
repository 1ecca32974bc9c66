import VmxDigest
import VmxMarkup
package import VmxModel

// A plan does not keep episodes in memory, since one record takes kilobytes. It holds their ids,
// and the path, size and digest of each file, packed (`PlanRows`). Other fields are decoded again
// when needed, from the same snapshot of the store, so they never change.

/// The files and records of a bundle, before any byte is read.
///
/// The plan depends only on the records of the episodes and the chosen content, never on the names
/// that the files have in this library. So two libraries with the same episodes write the same
/// bytes.
package struct BundlePlan: Sendable {
  /// Returns an episode as it was when the plan was made; nil if there is none.
  package typealias Reading = @Sendable (EpisodeID) throws -> Episode?

  /// Returns the shows of episodes with this slug, the same ones in each call with the same slug.
  package typealias ShowReading = @Sendable (_ slug: String) throws -> [BundledShow]

  /// A payload file, or a remote file that `fetch.txt` lists.
  package struct File: Sendable {
    /// The origin of its bytes.
    package enum Content: Sendable, Equatable {
      /// The file of the episode's part at this index.
      case part(Int)
      /// The picture of the part at this index, from the cache of a catalogue.
      case picture(Int)
      /// The NFO file, which is generated for the bundle.
      case document
      /// The first source of the part at this index: a line of `fetch.txt`.
      case remote(Int)
    }

    /// The path in the bag, beginning with `data/`.
    package let path: String
    /// The number of bytes.
    package let size: ByteCount
    /// The digest in the manifest.
    package let sha256: Digest
    /// The origin of its bytes.
    package let content: Content
    /// Whether it is the video of the episode.
    var isVideo = false
  }

  /// A file with the id of its episode.
  package struct Placed: Sendable {
    /// The id of the episode.
    package let episode: EpisodeID
    /// The file.
    package let file: File
  }

  /// An episode with its files.
  package struct Entry: Sendable {
    /// The id of the episode.
    package let id: EpisodeID
    /// Its files, in the order of their paths.
    package let files: [File]
    /// Its remote files, which `fetch.txt` lists.
    package let remotes: [File]
    /// The number of bytes of its line in the records and of the lines of its show.
    let recordSize: Int64
    /// An upper bound in bytes for its lines of `fetch.txt` and of the playlist.
    let sourcesSize: Int64
  }

  private var rows = PlanRows()
  /// The row indices of all files, sorted by the bytes of their paths.
  private var order: [UInt32] = []
  /// The options that selected the files.
  let content: BundleContent
  private let reading: Reading
  private let shows: ShowReading
  private let pictures: BundlePictures?
  /// The failures of selected episodes that are not in the plan.
  private(set) var failures: [EpisodeID: Failure] = [:]

  /// Plans the files of episodes.
  ///
  /// - Parameters:
  ///   - ids: the ids of the episodes, in any order; duplicates are ignored.
  ///   - folder: the content of the folder to update. Paths of episodes that it keeps are not
  ///     reused.
  ///   - reading: returns an episode, the same one in each call with the same id.
  ///   - shows: returns the shows of the episodes with a slug.
  ///   - pictures: the cached pictures to pack for images that are not in the library; nil for
  ///     none.
  /// - Throws: `resources-short` if memory is exhausted, the errors of `reading`.
  package init(
    _ ids: PackedTexts, _ content: BundleContent,
    in folder: FolderContent = .none,
    reading: @escaping Reading, shows: @escaping ShowReading = { _ in [] },
    pictures: BundlePictures? = nil
  ) throws {
    let reading: Reading = { id in
      let episode = try reading(id)
      return try pictures.flatMap { try $0.completed(episode, content) } ?? episode
    }
    self.content = content
    self.reading = reading
    self.pictures = pictures
    self.shows = shows
    func failure(_ episode: Episode) throws -> Failure? {
      try content.failure(of: episode) { try folder.hasCopy($0, episode.id) }
    }
    let names = try Self.names(in: folder, without: ids) { id in
      try reading(id).map { try BundleContent.hasFile($0) && failure($0) == nil } ?? false
    }
    var bundleNames = BundleNames(content.layout, taken: names)
    var last: EpisodeID?
    var show: (slug: String, size: Int64) = ("", 0)
    for index in ids.order {
      guard let id = EpisodeID(valid: ids[Int(index)]), id != last else { continue }
      last = id
      guard let episode = try reading(id) else { continue }
      if let failure = try failure(episode) {
        failures[id] = failure
        continue
      }
      if id.show != show.slug { show = (id.show, try Self.size(of: shows(id.show))) }
      if let entry = try Self.entry(
        of: episode, content, names: &bundleNames, more: show.size)
      {
        rows.append(entry)
      }
    }
    order = rows.order()
  }

  /// Creates a plan from entries of another one, in their order.
  init(_ entries: some Sequence<Entry>, of plan: BundlePlan) {
    content = plan.content
    reading = plan.reading
    shows = plan.shows
    pictures = plan.pictures
    failures = plan.failures
    for entry in entries { rows.append(entry) }
    order = rows.order()
  }

  /// The episodes, sorted by id.
  package var entries: some RandomAccessCollection<Entry> {
    (0..<rows.count).lazy.map { [rows] in rows.entry($0) }
  }

  /// Whether the plan has no episodes.
  package var isEmpty: Bool { rows.count == 0 }

  /// Whether an episode belongs to the plan.
  package func contains(_ id: EpisodeID) -> Bool { rows.index(of: id) != nil }

  /// Returns the names of the parts of a planned episode that are not packed only because the
  /// library has no file of them.
  ///
  /// - Throws: the errors of the store.
  package func partsWithoutFile(of id: EpisodeID) throws -> [String] {
    try episode(id).parts.filter { content.includes($0) && $0.state != .ready }.map(\.name)
  }

  /// The payload files of all episodes, sorted by the bytes of their paths.
  package var files: PlannedFiles { PlannedFiles(self, order.filter { !rows.isRemote($0) }) }

  /// The remote files, sorted by the bytes of their paths.
  var remotes: PlannedFiles { PlannedFiles(self, order.filter { rows.isRemote($0) }) }

  /// All files that a manifest lists, sorted by the bytes of their paths.
  var listed: PlannedFiles { PlannedFiles(self, order) }

  /// Returns the file in a row.
  func file(_ index: UInt32) -> Placed { rows.plannedFile(index) }

  /// The size of the payload in bytes.
  package var size: Int64 { rows.payloadSize }

  /// Removes episodes, such as those whose files are damaged.
  package mutating func remove(_ ids: Set<EpisodeID>) {
    if ids.isEmpty { return }
    self = BundlePlan(entries.lazy.filter { !ids.contains($0.id) }, of: self)
  }

  /// Returns the record of a planned episode.
  ///
  /// - Throws: the errors of the store.
  func episode(_ id: EpisodeID) throws -> Episode {
    guard let episode = try reading(id) else { throw Failure.noSuchEpisode("\(id)") }
    return episode
  }

  /// Returns the bytes of a cached picture that is not in the library.
  ///
  /// - Throws: `file-missing`, errors of reading.
  func picture(_ sha256: Digest) throws -> [UInt8] {
    guard let bytes = try pictures?.bytes(of: sha256) else {
      throw Failure(.fileMissing, "a picture has no file")
    }
    return bytes
  }

  /// Returns the record of an episode in the bundle.
  ///
  /// - Throws: the errors of the store.
  func record(of entry: Entry) throws -> JSONObject {
    Self.record(of: try episode(entry.id), entry.files, content)
  }

  /// Returns the records of the shows of episodes with this slug.
  ///
  /// - Throws: the errors of the store.
  func records(ofShow slug: String) throws -> [JSONObject] { try shows(slug).map(\.record) }

  private static func size(of shows: [BundledShow]) -> Int64 {
    var bytes: [UInt8] = []
    for show in shows { JSONWriter.append(show.record, to: &bytes) }
    return Int64(bytes.count + shows.count)
  }

  private static func record(
    of episode: Episode, _ files: [File], _ content: BundleContent
  ) -> JSONObject {
    var paths: [String: String] = [:]
    var nfo: String?
    for file in files {
      switch file.content {
      case .part(let index), .picture(let index): paths[episode.parts[index].name] = file.path
      case .document: nfo = file.path
      case .remote: continue
      }
    }
    return BundleRecord.object(
      of: episode, paths: paths, nfo: nfo, withSecrets: content.withSecrets)
  }

  /// Returns the paths of the episodes that a folder keeps: those outside the plan that are not
  /// deleted, and selected ones that are not packed.
  private static func names(
    in folder: FolderContent, without ids: PackedTexts, isPacked: (EpisodeID) throws -> Bool
  ) throws -> [String] {
    var selected: Set<String>?
    var names: [String] = []
    try folder.forEachEpisode { text, paths in
      let known = selected ?? Set((0..<ids.count).lazy.map { ids[$0] })
      selected = known
      if let id = EpisodeID(valid: text) {
        guard try known.contains(text) ? !isPacked(id) : folder.keeps(id) else { return }
      }
      names += paths
    }
    return names
  }
}

// MARK: - Files of an episode

extension BundlePlan {
  private static func entry(
    of episode: Episode, _ content: BundleContent, names: inout BundleNames, more: Int64
  ) throws(Failure) -> Entry? {
    guard BundleContent.hasFile(episode) else { return nil }
    let paths = names.paths(of: episode)
    var files: [File] = []
    var remotes: [File] = []
    var hasKnown = false
    for (index, part) in episode.parts.enumerated() {
      guard let name = paths[part.name] else { continue }
      if let file = file(of: part, index, at: name), content.includes(part) {
        if content.known.contains(file.sha256) { hasKnown = true } else { files.append(file) }
      } else if content.listsSources, part.role != .key,
        let remote = remote(part, index, at: name),
        content.withSecrets || !SecretQuery.isPresent(in: url(of: remote, episode))
      {
        if content.known.contains(remote.sha256) { hasKnown = true } else { remotes.append(remote) }
      }
    }
    var document: File?
    if let name = paths[BundleNames.description] {
      let bytes = try EpisodeNFO.bytes(of: episode)
      document = File(
        path: name, size: ByteCount(clamping: Int64(bytes.count)),
        sha256: DigestHasher.sha256(of: bytes),
        content: .document)
    }
    if let document, content.known.contains(document.sha256) { hasKnown = true }
    // All selected files of the episode are in another bundle.
    if files.isEmpty, remotes.isEmpty, hasKnown { return nil }
    files += [document].compactMap { $0 }
    files.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    var record: [UInt8] = []
    JSONWriter.append(Self.record(of: episode, files, content), to: &record)
    var lines = remotes.reduce(0) { $0 + url(of: $1, episode).utf8.count + 3 * $1.path.utf8.count }
    if content.hasPlaylist { lines += record.count + 64 }
    return Entry(
      id: episode.id, files: files, remotes: remotes, recordSize: Int64(record.count + 1) + more,
      sourcesSize: Int64(lines + 256 * remotes.count))
  }

  private static func file(of part: Part, _ index: Int, at name: String) -> File? {
    guard part.state == .ready, part.path != nil, let size = part.size, let sha256 = part.sha256
    else { return nil }
    // Only a picture that `BundlePictures.completed` added has no root.
    return File(
      path: name, size: size, sha256: sha256,
      content: part.root == nil ? .picture(index) : .part(index),
      isVideo: part.name == PartRole.video.rawValue)
  }

  private static func remote(_ part: Part, _ index: Int, at name: String) -> File? {
    guard part.original == nil, let variant = part.variant, let source = variant.sources.first,
      source.secret == nil, let size = part.size ?? variant.size,
      let sha256 = part.sha256 ?? variant.sha256
    else { return nil }
    return File(path: name, size: size, sha256: sha256, content: .remote(index))
  }

  /// Returns the URL of a remote file.
  ///
  /// - Throws: the errors of the store.
  func url(of placed: Placed) throws -> String {
    Self.url(of: placed.file, try episode(placed.episode))
  }

  private static func url(of file: File, _ episode: Episode) -> String {
    guard case .remote(let index) = file.content else { return "" }
    return episode.parts[index].variant?.sources.first?.url ?? ""
  }
}
