import VmxDigest
import VmxLibrary
import VmxModel
import VmxSystem

/// The files and folders below one root that could not be read during a scan.
///
/// The scan continues after each of them. A class, so that several closures of one scan can append
/// to the same list.
final class ReadFailures {
  /// A path below the root, empty for the root itself, with its error.
  struct Entry {
    let path: PathBytes
    let failure: Failure
  }

  private(set) var entries: [Entry] = []

  /// Adds an error, unless a folder above the path has one already.
  func add(_ error: any Error, at path: PathBytes) {
    guard !covers(path) else { return }
    entries.append(Entry(path: path, failure: Failure(error)))
  }

  /// Whether the path, or a folder above it, could not be read.
  func covers(_ path: PathBytes) -> Bool {
    entries.contains { entry in
      let (above, rest) = (entry.path.bytes, path.bytes.dropFirst(entry.path.bytes.count))
      return above == path.bytes
        || !above.isEmpty && path.bytes.starts(with: above) && rest.first == UInt8(ascii: "/")
    }
  }

  /// Returns the value of the closure. If a file or folder could not be read, adds the error and
  /// returns nil.
  ///
  /// - Throws: any other error of the closure.
  func attempt<Value>(at path: PathBytes, _ body: () throws -> Value) throws -> Value? {
    do {
      return try body()
    } catch let error as FileError {
      add(error, at: path)
    } catch let error as DigestError {
      add(error, at: path)
    }
    return nil
  }

  /// Returns a failed step for each entry.
  func steps(_ root: MediaRoot) -> [CleaningStep] {
    entries.map { CleaningStep(unreadable: $0.path, $0.failure, in: root) }
  }
}

extension CleaningStep {
  /// A step about a file or folder that could not be read.
  init(unreadable path: PathBytes, _ failure: Failure, in root: MediaRoot) {
    self.init(.unreadable, why: "it cannot be read, and nothing is concluded of it")
    self.root = root.uuid
    self.path = path.bytes.isEmpty ? nil : path
    self.failure = failure
  }
}
