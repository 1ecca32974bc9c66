import Synchronization
import SystemPackage
import VmxDigest
import VmxLibrary
import VmxModel
import VmxStore
import VmxTestSupport
import VmxVerifying

/// A library with ready films, and verification runs over it.
struct VerifyingLibrary {
  let scratch: ScratchFolder
  let clock = FixedClock()
  let store: LibraryStore
  let mediaRoots: MediaRoots
  let root: MediaRoot

  init() throws {
    scratch = try ScratchFolder()
    store = try LibraryStore.open(LibraryHome(scratch.path.appending("home")), clock: clock)
    mediaRoots = MediaRoots(store: store, newFilesBelow: scratch.path.appending("media"))
    root = try mediaRoots.forNewFiles()
  }

  /// Stores an episode with a film of these bytes, with or without digests of its segments.
  @discardableResult
  func add(
    _ id: String, _ bytes: [UInt8], path: String? = nil, withSegments: Bool = false
  ) throws -> Episode {
    var whole = SHA256Hasher()
    whole.update(bytes)
    var video = Part(role: .video, variants: [])
    video.state = .ready
    video.root = root.uuid
    video.path = path ?? "\(id).mp4"
    video.size = ByteCount(clamping: Int64(bytes.count))
    video.sha256 = whole.finish()
    let episode = Episode(
      id: try EpisodeID(id), title: "A title", showTitle: "A show", added: clock.now,
      parts: [video])
    try scratch.write("media/\(path ?? "\(id).mp4")", bytes)
    try store.update(.soon) { $0.write(episode) }
    if withSegments { try writeSegments(of: bytes, video, id) }
    return episode
  }

  private func writeSegments(of bytes: [UInt8], _ video: Part, _ id: String) throws {
    let size = Int(SegmentMap.size)
    let list = stride(from: 0, to: bytes.count, by: size).map { start in
      let segment = Array(bytes[start..<min(bytes.count, start + size)])
      return "\"\(DigestHasher.sha256(of: segment).hex)\""
    }.joined(separator: ",")
    let name = id.split(separator: "/").joined(separator: "~")
    try scratch.write(
      "media/.vmx/records/\(name).json",
      #"{"schema":1,"id":"\#(id)","segments":{"video":{"sha256":"\#(video.sha256?.hex ?? "")","#
        + #""size":4194304,"list":[\#(list)]}}}"#)
  }

  /// Changes a byte of a film without the knowledge of the library.
  func flip(_ name: String, at offset: Int64) throws {
    let file = try FileDescriptor.open(scratch.path("media/\(name)"), .readWrite)
    try file.closeAfter {
      var byte: [UInt8] = [0]
      _ = try byte.withUnsafeMutableBytes { try file.read(fromAbsoluteOffset: offset, into: $0) }
      _ = try file.writeAll(toAbsoluteOffset: offset, [~byte[0]])
    }
  }

  /// The tools of a run that nothing interrupts.
  var tools: LibraryTools { tools(store) { false } }

  /// Returns the tools of a run.
  func tools(
    _ store: LibraryStore, shouldStop: @escaping @Sendable () -> Bool
  ) -> LibraryTools {
    LibraryTools(
      store, clock: clock, tool: "verify", newFilesBelow: scratch.path.appending("media"),
      shouldStop: shouldStop)
  }

  /// Verifies all files.
  ///
  /// - Parameter onResult: called with each result as it is reported.
  func verify(
    _ settings: VerificationSettings = VerificationSettings(), isDryRun: Bool = false,
    shouldStop: @escaping @Sendable () -> Bool = { false },
    onResult: @escaping (VerificationResult) throws -> Void = { _ in }
  ) throws -> [VerificationResult] {
    let snapshot = try store.snapshot()
    let run = VerificationRun(
      tools(isDryRun ? store.dryRun : store, shouldStop: shouldStop), settings: settings)
    var results: [VerificationResult] = []
    _ = try run.perform { enqueue in
      var order = VerificationOrder()
      snapshot.summaries { summary in
        order.add(summary)
        return true
      }
      order.forEach(in: snapshot) { enqueue([$0]) }
    } report: {
      results.append($0)
      try onResult($0)
    }
    return results
  }

  /// Returns the video part of an episode from its current record.
  func video(_ id: String) throws -> Part? {
    try store.snapshot().episode(EpisodeID(id))?.parts.first
  }
}

extension [VerificationResult] {
  /// The verdicts by id.
  var answers: [String: Verdict?] {
    Dictionary(uniqueKeysWithValues: map { ($0.item.id.description, $0.verdict) })
  }
}
