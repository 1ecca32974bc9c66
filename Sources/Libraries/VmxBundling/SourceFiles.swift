import SystemPackage
import VmxDigest
import VmxLibrary
import VmxMarkup
import VmxModel
import VmxStore
import VmxSystem

// A separate thread reads and digests the files of a plan while the caller writes the bytes that it
// received. So an export takes the time of the slower of the two, not their sum. Buffers are
// reused: the page faults of a new buffer for each MiB would take longer than the digest.

/// A receiver of the files of a plan, in their order.
protocol SourceConsumer {
  /// Begins the file at this index of the list.
  mutating func begin(_ index: Int) throws
  /// Receives its next bytes.
  mutating func write(_ bytes: UnsafeRawBufferPointer) throws
  /// Ends the file, whose bytes had the recorded size and digest.
  mutating func end() throws
  /// Receives the failure of a file that could not be read, or whose bytes differ from the record.
  /// `begin` may have been called for it.
  mutating func fail(_ index: Int, _ failure: Failure) throws
}

/// Reads the files of a plan in their order, and compares their digests with the recorded ones.
final class SourceFiles: Sendable {
  /// The number of bytes of a piece.
  private static let pieceSize = 1 << 20
  private static let buffers = 6

  private enum Event: Sendable {
    case begin(Int)
    /// The first `count` bytes of a buffer, which the receiver returns through `free`.
    case bytes([UInt8], count: Int)
    case document([UInt8])
    case end
    case failed(Int, Failure)
  }

  private let files: PlannedFiles
  private let store: LibraryStore
  private let mediaRoots: MediaRoots
  private let shouldStop: @Sendable () -> Bool
  private let events = Channel<Event>(capacity: SourceFiles.buffers)
  private let free = Channel<[UInt8]>(capacity: SourceFiles.buffers)

  /// Creates a reader.
  ///
  /// - Parameter shouldStop: called for each piece; once it returns true, reading ends.
  init(
    _ files: PlannedFiles, store: LibraryStore, mediaRoots: MediaRoots,
    shouldStop: @escaping @Sendable () -> Bool
  ) {
    self.files = files
    self.store = store
    self.mediaRoots = mediaRoots
    self.shouldStop = shouldStop
  }

  /// Reads all files; the consumer is called on the calling thread.
  ///
  /// - Throws: the errors of the consumer, `WorkEnded.interrupted`.
  func read(to consumer: inout some SourceConsumer) throws {
    for _ in 0..<Self.buffers { free.send([UInt8](repeating: 0, count: Self.pieceSize)) }
    let reader = try WorkerThread.start("vmx-read") { [self] in
      readAll()
      events.close()
    }
    defer {
      free.cancel()
      events.cancel()
      reader.join()
    }
    while let event = events.receive() { try deliver(event, to: &consumer) }
    if shouldStop() { throw WorkEnded.interrupted }
  }

  private func deliver(_ event: Event, to consumer: inout some SourceConsumer) throws {
    switch event {
    case .begin(let index): try consumer.begin(index)
    case .bytes(let buffer, let count):
      try buffer.withUnsafeBytes {
        try consumer.write(UnsafeRawBufferPointer(rebasing: $0[..<count]))
      }
      free.send(buffer)
    case .document(let bytes): try bytes.withUnsafeBytes { try consumer.write($0) }
    case .end: try consumer.end()
    case .failed(let index, let failure): try consumer.fail(index, failure)
    }
  }

  private func readAll() {
    var root: OpenRoot?
    // Files of one episode are often adjacent, so its record is decoded once for them.
    var episode: Episode?
    for (index, placed) in files.enumerated() where !shouldStop() {
      do {
        if episode?.id != placed.episode { episode = try files.plan.episode(placed.episode) }
        guard let episode, try send(index, placed.file, of: episode, below: &root) else { return }
      } catch {
        guard events.send(.failed(index, Failure(error))) else { return }
      }
    }
  }

  /// - Returns: false once the receiver has ended, or `shouldStop` returns true.
  private func send(
    _ index: Int, _ file: BundlePlan.File, of episode: Episode, below root: inout OpenRoot?
  ) throws -> Bool {
    guard case .part(let number) = file.content else {
      let bytes =
        if case .picture = file.content {
          try files.plan.picture(file.sha256)
        } else {
          try EpisodeNFO.bytes(of: episode)
        }
      return events.send(.begin(index)) && events.send(.document(bytes)) && events.send(.end)
    }
    // The claim is shared with verify and other exports, and excludes fetch, rm and repair.
    guard let claim = try store.claims.claim(episode.id, .shared) else {
      throw Failure.inUse(episode.id)
    }
    defer { claim.release() }
    let part = episode.parts[number]
    guard let uuid = part.root, let path = part.path else {
      throw Failure(.fileMissing, "'\(part.name)' of '\(episode.id)' has no file")
    }
    if root?.uuid != uuid { root = try open(uuid) }
    guard let root else { return false }
    return try read(
      index, of: file, from: try root.file(at: path), subject: "'\(part.name)' of '\(episode.id)'")
  }

  private func open(_ uuid: String) throws -> OpenRoot {
    let root = try mediaRoots.root(uuid)
    return OpenRoot(root, try VerifiedRoot(root))
  }

  /// - Throws: `file-damaged` if the bytes differ from the record, and errors of reading.
  private func read(
    _ index: Int, of file: BundlePlan.File, from open: borrowing OpenFile, subject: String
  ) throws -> Bool {
    let size = try open.facts().size
    guard size == file.size.bytes else {
      throw Self.damaged(subject, "it has \(size) bytes, recorded are \(file.size.bytes)")
    }
    guard events.send(.begin(index)) else { return false }
    let hasher = ManifestHasher([.sha256])
    var offset: Int64 = 0
    while offset < size {
      guard !shouldStop(), var buffer = free.receive() else { return false }
      let limit = Int(min(Int64(buffer.count), size - offset))
      let count = try open.read(into: &buffer, limit: limit, at: offset)
      buffer.withUnsafeBytes { hasher.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
      guard count > 0 else { throw Self.damaged(subject, "it ends at byte \(offset)") }
      offset += Int64(count)
      guard events.send(.bytes(buffer, count: count)) else { return false }
    }
    let found = hasher.finish()[.sha256] ?? []
    guard found == file.sha256.bytes else {
      throw Self.damaged(subject, "its SHA-256 is \(Hex.text(of: found))")
    }
    return events.send(.end)
  }

  private static func damaged(_ subject: String, _ words: String) -> Failure {
    Failure(.fileDamaged, "\(subject) differs from the record: \(words)")
  }
}

/// A verified root whose folder is kept open while its files are read.
private final class OpenRoot {
  let uuid: String
  private let root: MediaRoot
  private let verified: VerifiedRoot

  init(_ root: MediaRoot, _ verified: consuming VerifiedRoot) {
    self.root = root
    uuid = root.uuid
    self.verified = verified
  }

  /// Opens a file relative to the open folder, so that the bytes come from the verified disk.
  ///
  /// - Throws: `file-missing` if there is no such file, errors of the file system with the absolute
  ///   path.
  func file(at path: String) throws -> OpenFile {
    do throws(FileError) {
      return try OpenFile(verified.folder.appending(path), .readOnly)
    } catch {
      let named = root.folder.appending(path)
      guard error.errno == .noSuchFileOrDirectory else { throw error.about(named) }
      throw Failure(.fileMissing, "the file is gone: '\(named)'")
    }
  }
}
