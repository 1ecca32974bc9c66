import Glibc
import SystemPackage
import VmxLibrary
import VmxModel
import VmxStore
import VmxSystem

/// A library of vmx, for reading.
///
/// Reading takes no lock and changes nothing, so any number of programs and tools may use the
/// library at the same time. Parental control applies as it does to the tools: an episode above its
/// limit is in no snapshot and no change, and has no path.
///
///     let library = try Library()
///     for episode in try await library.snapshot().episodes where episode.state == .ready {
///       print(episode.title, try await library.path(of: episode.id))
///     }
public struct Library: Sendable {
  private let reader: EpisodeReader

  /// Opens a library, which need not have any episode yet.
  ///
  /// - Parameter home: the folder of the library; nil for that of the tools: `VMX_HOME`, else
  ///   `vmx` in the user's data folder.
  /// - Throws: ``LibraryError`` if no folder is known, or the store is on a network file system.
  public init(home: String? = nil) throws(LibraryError) {
    do {
      let variable = { (name: String) in getenv(name).map { String(cString: $0) } }
      guard let folder = home ?? variable("VMX_HOME") ?? defaultHome(variable: variable),
        folder.hasPrefix("/")
      else {
        throw Failure(
          .badSetting, "the folder of the library is not an absolute path",
          hint: "set VMX_HOME to the folder of the library")
      }
      let library = LibraryHome(FilePath(folder))
      reader = EpisodeReader(
        home: library, store: try LibraryStore.open(library, clock: SystemClock()),
        runtime: variable("XDG_RUNTIME_DIR"))
    } catch {
      throw LibraryError(error)
    }
  }

  /// Returns the episodes as they are now.
  ///
  /// - Throws: ``LibraryError`` if the store cannot be read.
  public func snapshot() async throws(LibraryError) -> Snapshot {
    try await onThread { [reader] in
      let store = try reader.store.snapshot()
      let rule = reader.rule()
      var episodes: [Episode] = []
      try store.episodes(matching: EpisodeQuery()) { episode in
        if rule.allows(episode, in: store) { episodes.append(Episode(episode)) }
        return true
      }
      return Snapshot(episodes: episodes, store: store)
    }
  }

  /// Returns the changes after a snapshot, as `vmx list --follow --json` prints them.
  ///
  /// The sequence has no end of its own. It reads the library five times a second while it is
  /// iterated, and stops when its task is cancelled.
  public func changes(after snapshot: Snapshot) -> Changes {
    Changes(reader: reader, snapshot: snapshot)
  }

  /// Returns the absolute path of a file that an episode has now.
  ///
  /// - Parameters:
  ///   - id: the id of the episode, or an earlier id of it.
  ///   - part: the name of the part, such as `video`, `image` or `subtitle:en`.
  /// - Throws: ``LibraryError``: `no-such-episode`; `no-file` if the part has no file;
  ///   `root-away` if the folder of the media is not mounted.
  public func path(of id: Episode.ID, part: String = "video") async throws(LibraryError) -> String {
    try await onThread { [reader] in
      let store = try reader.store.snapshot()
      let id = try EpisodeID(id)
      guard let episode = try store.episode(id) else { throw Failure.noSuchEpisode(id) }
      guard reader.rule().allows(episode, in: store) else { throw Failure.aboveLimit(id) }
      guard let named = episode.part(named: part) else {
        throw Failure(.noFile, "'\(id)' has no part '\(part)'")
      }
      return try store.mediaFile(of: named, of: episode).string
    }
  }
}

/// The episodes of a library at one moment, in the order in which they were added.
public struct Snapshot: Sendable {
  /// The episodes.
  public let episodes: [Episode]
  let store: StoreSnapshot
}

/// An error of the library, in the words of the tools.
public struct LibraryError: Error, Hashable, CustomStringConvertible {
  /// The stable code, such as `no-file`; `vmx explain CODE` describes it.
  public let code: String
  /// The sentence for people; may contain names and paths.
  public let message: String
  /// The next step for the user; empty if none is known.
  public let hint: String

  /// The code and the sentence.
  public var description: String { "error[\(code)]: \(message)" }

  init(_ error: any Error) {
    if let error = error as? LibraryError {
      self = error
      return
    }
    let failure = Failure(error)
    (code, message, hint) = (failure.code.rawValue, failure.summary, failure.hint)
  }
}

/// Runs work that blocks on a thread of its own: the thread pool of tasks must never wait for a
/// disk.
private func onThread<Value: Sendable>(
  _ work: @escaping @Sendable () throws -> Value
) async throws(LibraryError) -> Value {
  let result = await withCheckedContinuation { continuation in
    do {
      _ = try WorkerThread.start("vmx-kit") {
        continuation.resume(returning: Result { try work() }.mapError { LibraryError($0) })
      }
    } catch {
      continuation.resume(returning: Result<Value, LibraryError>.failure(LibraryError(error)))
    }
  }
  return try result.get()
}
