import SystemPackage
import VmxDigest
import VmxModel
import VmxSystem

/// An open staged copy of a payload file.
final class StagedFile: Sendable {
  private let file: OpenFile

  init(creating path: FilePath) throws(FileError) {
    file = try OpenFile(path, .readWrite, options: [.create, .exclusiveCreate])
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(FileError) {
    try file.writeBeforeFlush(bytes, at: offset)
  }

  func digest(_ shouldStop: () -> Bool) throws -> FileDigest {
    try FileDigest.of(file.descriptor.rawValue, withSegments: true) { _ in shouldStop() }
  }
}

/// Digests staged files in their order, on a separate thread. The files have the numbers of
/// `BagCheck`, since their paths change when the folder of the bag is found.
final class StagedDigests: Sendable {
  private let queue = Channel<(file: StagedFile, number: Int)>(capacity: 4)
  private let results = Monitor<[(Int, Result<FileDigest, any Error>)]>([])
  private let thread: WorkerThread

  init(shouldStop: @escaping @Sendable () -> Bool) throws {
    thread = try WorkerThread.start("vmx-digest") { [queue, results] in
      while let (file, number) = queue.receive() {
        let result = Result { try file.digest(shouldStop) }
        results.withLock { $0.append((number, result)) }
      }
    }
  }

  deinit { queue.cancel() }

  func add(_ file: StagedFile, _ number: Int) { queue.send((file, number)) }

  /// Returns the digests computed since the last call, without waiting.
  func known() throws -> [(Int, FileDigest)] {
    try results.withLock { results in
      defer { results = [] }
      return try results.map { ($0.0, try $0.1.get()) }
    }
  }

  /// Waits until all files are digested, and returns the remaining digests.
  func finish() throws -> [(Int, FileDigest)] {
    queue.close()
    thread.join()
    return try known()
  }
}
