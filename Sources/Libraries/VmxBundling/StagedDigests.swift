import SystemPackage
import VmxDigest
import VmxModel
import VmxSystem

/// An open staged copy of a payload file.
final class StagedFile: Sendable {
  private static let largePiece = 1 << 20
  /// The path in the bag.
  let path: String
  private let file: OpenFile

  init(_ path: String, _ file: consuming OpenFile) {
    self.path = path
    self.file = file
  }

  /// Writes a piece, and starts its write-back if it has at least 1 MiB, so that the flush has less
  /// to write.
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

/// Digests staged files in their order, on a separate thread.
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

  /// Returns the digests computed since the last call, without waiting.
  func known() throws -> [(String, FileDigest)] {
    try results.withLock { results in
      defer { results = [] }
      return try results.map { ($0.0, try $0.1.get()) }
    }
  }

  /// Waits until all files are digested, and returns the remaining digests.
  func finish() throws -> [(String, FileDigest)] {
    queue.close()
    thread.join()
    return try known()
  }
}
