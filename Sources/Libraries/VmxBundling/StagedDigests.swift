import SystemPackage
import VmxDigest
import VmxModel
import VmxSystem

/// An open staged copy of a payload file.
final class StagedFile: Sendable {
  /// The path in the bag.
  let path: String
  private let file: OpenFile

  init(_ path: String, _ file: consuming OpenFile) {
    self.path = path
    self.file = file
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(FileError) {
    try file.writeBeforeFlush(bytes, at: offset)
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
