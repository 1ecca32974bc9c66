import SystemPackage
import VmxDigest
import VmxModel
import VmxSystem

/// An open copy of a file of the payload.
final class StagedFile: Sendable {
  private static let largePiece = 1 << 20
  /// The path in the bag.
  let path: String
  private let file: OpenFile

  init(_ path: String, _ file: consuming OpenFile) {
    self.path = path
    self.file = file
  }

  /// Writes a piece, and starts its way to the disk, so that the flush has less to do.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(FileError) {
    try file.write(bytes, at: offset)
    if bytes.count >= Self.largePiece {
      beginWriteBack(file.descriptor, from: offset, Int64(bytes.count))
    }
  }

  func digest(_ shouldStop: () -> Bool) throws -> FileDigest {
    try FileDigest.of(file.descriptor.rawValue, withSegments: true) { _ in shouldStop() }
  }
}

/// Digests staged files on a thread of its own, in their order.
final class StagedDigests: Sendable {
  private let queue = Channel<StagedFile>(capacity: 4)
  private let results = Monitor<[(String, Result<FileDigest, any Error>)]>([])
  private let thread: WorkerThread

  init(shouldStop: @escaping @Sendable () -> Bool) throws {
    thread = try WorkerThread.start("vmx-digest") { [queue, results] in
      while let file = queue.receive() {
        let result = Result { try file.digest(shouldStop) }
        results.withLock { $0.append((file.path, result)) }
      }
    }
  }

  deinit { queue.cancel() }

  func add(_ file: StagedFile) { queue.send(file) }

  /// Returns the digests that have become known since the last call.
  func known() throws -> [(String, FileDigest)] {
    try results.withLock { results in
      defer { results = [] }
      return try results.map { ($0.0, try $0.1.get()) }
    }
  }

  /// Returns the remaining digests, once all are known.
  func finish() throws -> [(String, FileDigest)] {
    queue.close()
    thread.join()
    return try known()
  }
}
