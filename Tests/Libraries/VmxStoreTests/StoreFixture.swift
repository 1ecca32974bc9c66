import SystemPackage
import VmxModel
import VmxTestSupport

@testable import VmxStore

/// A library in a scratch folder.
struct StoreFixture {
  let folder: ScratchFolder
  let home: LibraryHome
  let clock = FixedClock()

  init() throws {
    folder = try ScratchFolder()
    home = LibraryHome(folder.path.appending("home"))
  }

  /// Opens the store as another process would.
  func open(
    _ options: StoreOptions = StoreOptions(), disk: any StoreDisk = KernelDisk()
  ) throws -> LibraryStore {
    try LibraryStore.open(home, options: options, clock: clock, disk: disk)
  }

  /// Returns the lines of the store, including the header.
  func lines() throws -> [String] {
    try folder.text("home/store.jsonl").split(separator: "\n").map(String.init)
  }

  /// Writes a store: a header, then these lines, then these bytes without a line end.
  func write(_ lines: [String], torn: String = "") throws {
    let text = ([Self.header] + lines).map { $0 + "\n" }.joined() + torn
    try folder.write("home/store.jsonl", text)
  }

  /// Writes thirty changes: repeated episodes, some with another record, some removed.
  func fillWithChanges(_ store: LibraryStore) throws {
    for number in 0..<30 {
      try store.update(.soon) { transaction in
        transaction.write(try .sample("a/\(number % 7)", title: "Title \(number)"))
        if number.isMultiple(of: 3) { transaction.write(try .sample("b/\(number)")) }
        if number.isMultiple(of: 5) { transaction.delete(.episode, "a/\(number % 4)") }
      }
    }
  }

  /// Appends to the file without the knowledge of open stores.
  func append(_ text: String) throws {
    let descriptor = try FileDescriptor.open(home.store, .writeOnly, options: .append)
    _ = try descriptor.closeAfter { try descriptor.writeAll(Array(text.utf8)) }
  }

  static let library = "00000000-0000-4000-8000-000000000001"
  static let header =
    #"{"kind":"header","id":"store","seq":0,"at":"2023-11-14T22:13:20.000Z","#
    + #""library":"\#(library)","format":{"major":1,"minor":0},"epoch":3,"seq_floor":10}"#

  /// Returns a line of an episode as written by the store's writer.
  static func line(_ id: String, seq: Int, marks: String = "", _ fields: String = "") -> String {
    #"{"kind":"episode","id":"\#(id)","seq":\#(seq),"at":"2023-11-14T22:13:20.000Z"\#(marks)"#
      + (fields.isEmpty ? "}" : ",\(fields)}")
  }
}

extension Episode {
  /// Returns an episode with a video in a state.
  static func sample(
    _ id: String, title: String = "A title", show: String = "A show", state: PartState = .new
  ) throws -> Episode {
    var video = Part(
      role: .video, variants: [Variant(sources: [Source(url: "https://example.org/\(id).mp4")])])
    video.state = state
    return Episode(
      id: try EpisodeID(id), title: title, showTitle: show,
      added: Timestamp(seconds: 1_700_000_000), parts: [video])
  }
}

extension StoreSnapshot {
  /// Returns the matching ids, in the order of the query.
  func ids(_ query: EpisodeQuery = EpisodeQuery()) throws -> [String] {
    var ids: [String] = []
    try episodes(matching: query) {
      ids.append($0.id.description)
      return true
    }
    return ids
  }
}
