import SystemPackage
import VmxDigest
import VmxLibrary
import VmxModel
import VmxStore
import VmxSystem

// A thread of its own reads and digests the files of a plan while the caller writes the bytes that
// were read before. So a bundle takes the time of the slower of the two, not their sum. Buffers
// circulate: a fresh one for each MiB would cost more page faults than the digest costs time.

/// Receives the files of a plan in their order.
protocol SourceConsumer {
  /// Begins the file at this place of the list.
  mutating func begin(_ place: Int) throws
  /// Receives its next bytes.
  mutating func write(_ bytes: UnsafeRawBufferPointer) throws
  /// Ends the file; its bytes had the recorded size and digest.
  mutating func end() throws
  /// Receives the failure of a file that could not be read, or has other bytes than recorded. It may
  /// have begun.
  mutating func fail(_ place: Int, _ failure: Failure) throws
}

/// Reads the files of a plan in their order, and compares their digests with the recorded ones.
final class SourceFiles: Sendable {
  /// The number of bytes of a piece.
  private static let pieceSize = 1 << 20
  private static let buffers = 6

  private enum Event: Sendable {
    case begin(Int)
    /// The first bytes of a buffer, which the receiver returns.
    case bytes([UInt8], count: Int)
    case document([UInt8])
    case end
    case failed(Int, Failure)
  }

  private let files: [BundlePlan.Placed]
  private let store: LibraryStore
  private let mediaRoots: MediaRoots
  private let shouldStop: @Sendable () -> Bool
  private let events = Channel<Event>(capacity: SourceFiles.buffers)
  private let free = Channel<[UInt8]>(capacity: SourceFiles.buffers)

  /// Creates a reader.
  ///
  /// - Parameter shouldStop: called for each piece; once it returns true the reader ends.
  init(
    _ files: [BundlePlan.Placed], store: LibraryStore, mediaRoots: MediaRoots,
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
    case .begin(let place): try consumer.begin(place)
    case .bytes(let buffer, let count):
      try buffer.withUnsafeBytes {
        try consumer.write(UnsafeRawBufferPointer(rebasing: $0[..<count]))
      }
      free.send(buffer)
    case .document(let bytes): try bytes.withUnsafeBytes { try consumer.write($0) }
    case .end: try consumer.end()
    case .failed(let place, let failure): try consumer.fail(place, failure)
    }
  }

  private func readAll() {
    var root: OpenRoot?
    for (place, placed) in files.enumerated() where !shouldStop() {
      let (episode, file) = (placed.episode, placed.file)
      let isOpen =
        switch file.content {
        case .document(let bytes): send(bytes, at: place)
        case .part(let part, let uuid, let path):
          send(place, file, part, of: episode, below: &root, uuid, path)
        }
      guard isOpen else { return }
    }
  }

  private func send(_ bytes: [UInt8], at place: Int) -> Bool {
    events.send(.begin(place)) && events.send(.document(bytes)) && events.send(.end)
  }

  /// - Returns: false once the receiver has ended.
  private func send(
    _ place: Int, _ file: BundlePlan.File, _ part: String, of episode: EpisodeID,
    below root: inout OpenRoot?, _ uuid: String, _ path: String
  ) -> Bool {
    do {
      // The claim is shared with verify and other exports; fetch, rm and repair wait for its end.
      guard let claim = try store.claims.claim(episode, .shared) else {
        throw Failure(.lockBusy, "'\(episode)' is being worked on")
      }
      defer { claim.release() }
      if root?.uuid != uuid { root = try open(uuid) }
      guard let root else { return false }
      return try read(place, file, try root.file(at: path), "'\(part)' of '\(episode)'")
    } catch {
      return events.send(.failed(place, Failure(error)))
    }
  }

  private func open(_ uuid: String) throws -> OpenRoot {
    let root = try mediaRoots.root(uuid)
    return OpenRoot(root, try VerifiedRoot(root))
  }

  /// - Throws: `file-damaged` for other bytes than recorded, and errors of reading.
  private func read(
    _ place: Int, _ file: BundlePlan.File, _ open: borrowing OpenFile, _ subject: String
  ) throws -> Bool {
    let size = try open.facts().size
    guard size == file.size.bytes else {
      throw Self.damaged(subject, "it has \(size) bytes, recorded are \(file.size.bytes)")
    }
    guard events.send(.begin(place)) else { return false }
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
    Failure(.fileDamaged, "\(subject) is not as recorded: \(words)")
  }
}

/// A verified root that is held open while its files are read.
private final class OpenRoot {
  let uuid: String
  private let root: MediaRoot
  private let held: VerifiedRoot

  init(_ root: MediaRoot, _ held: consuming VerifiedRoot) {
    self.root = root
    uuid = root.uuid
    self.held = held
  }

  /// Opens a file through the open folder, so that the disk that was verified is the one read.
  ///
  /// - Throws: `file-missing` if it is gone, errors of the file system with the path for people.
  func file(at path: String) throws -> OpenFile {
    do throws(FileError) {
      return try OpenFile(held.folder.appending(path), .readOnly)
    } catch {
      let named = root.folder.appending(path)
      guard error.errno == .noSuchFileOrDirectory else { throw error.about(named) }
      throw Failure(.fileMissing, "the file is gone: '\(named)'")
    }
  }
}
