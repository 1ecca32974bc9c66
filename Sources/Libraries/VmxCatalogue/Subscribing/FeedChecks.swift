package import SystemPackage
import VmxJSON
package import VmxModel
package import VmxStore
import VmxSystem

// The results of checks are a cache with one file per feed, which may be lost at any time. The feed
// is then due and is fetched as a whole once more. A file contains neither URL nor title.
//
// A check names the state of the store that it belongs to: the library, the epoch, and the rev of
// the feed's record. A home restored from a backup, a store that lost its last lines, or an episode
// whose record was removed has another state. Then the check is no evidence that the items of its
// document are in the library.

/// The last check of a feed.
package struct FeedCheck: Sendable, Equatable {
  /// The time of the check.
  package var checked: Timestamp
  /// The validators of the last document whose items were all imported.
  package var validators = Validators()
  /// The `StableHash` of the bytes of that document.
  package var content: UInt64?
  /// The minimum time between requests that the publisher asks for, in milliseconds.
  package var minInterval: Int64?
  /// The state of the store after the import, by `StoreSnapshot.mark(of:)`; nil for a check of an
  /// earlier version.
  package var mark: String?

  /// Creates the result of a check.
  package init(checked: Timestamp) {
    self.checked = checked
  }
}

extension FeedCheck: LenientRecord {
  /// The fields of the cache file.
  package enum Field: String, RecordField {
    case checked, etag
    case lastModified = "last_modified"
    case content
    case minInterval = "rest_ms"
    case mark
  }

  package static let fields = FieldSet<Field>(Field.allCases)
  package static var blank: FeedCheck { FeedCheck(checked: Timestamp(seconds: 0)) }

  package mutating func code<C: FieldCoder>(
    _ field: Field, _ coder: inout C
  ) throws(C.Problem) {
    switch field {
    case .checked: try coder.required(&checked)
    case .etag: try coder.field(&validators.etag)
    case .lastModified: try coder.field(&validators.lastModified)
    case .content: try coder.field(&content)
    case .minInterval: try coder.field(&minInterval)
    case .mark: try coder.field(&mark)
    }
  }
}

/// The last checks of the feeds of one library, in the user's cache folder.
package struct FeedChecks: Sendable {
  private let folder: FilePath?
  private let library: String

  /// Creates the checks of a library.
  ///
  /// - Parameters:
  ///   - cache: the folder of vmx in the user's cache; nil if there is none.
  ///   - home: the home of the library, since each library imports items separately.
  package init(cache: FilePath?, home: FilePath) {
    folder = cache?.appending("feeds")
    library = home.string
  }

  /// Returns the last check of a feed with its current URL and rules; nil if there is none.
  package func last(of feed: Subscription) -> FeedCheck? {
    guard let path = path(of: feed) else { return nil }
    do {
      guard let bytes = try readFile(path, limit: ByteCount(clamping: 1 << 16)),
        let object = try JSONParser().parse(bytes).object
      else { return nil }
      return FeedCheck(reading: object)
    } catch {
      // A damaged file only causes one full request.
      return nil
    }
  }

  /// Caches the check of a feed. A failed write only causes further requests.
  package func cache(_ check: FeedCheck, of feed: Subscription) {
    guard let folder, let path = path(of: feed) else { return }
    var bytes: [UInt8] = []
    check.append(to: &bytes)
    do throws(FileError) {
      try makeFolders(folder)
      try AtomicFile.replace(path, with: bytes, durable: false)
    } catch {
      // The next check is sent without validators.
    }
  }

  /// Deletes the cached check of a feed.
  package func delete(_ feed: Subscription) {
    guard let path = path(of: feed) else { return }
    do throws(FileError) {
      try removeFile(path)
    } catch {
      // Without a cached check there is nothing to delete.
    }
  }

  /// Returns the path of the cache file. The name covers all rules that affect the import, so a
  /// changed rule causes a full read.
  private func path(of feed: Subscription) -> FilePath? {
    let parts = [
      library, feed.id, feed.url, feed.title, feed.show?.description ?? "", feed.want.text,
      feed.quality ?? "",
      feed.matching.joined(separator: "\n"), feed.skipping.joined(separator: "\n"),
    ]
    let name = Hex.text(of: StableHash.of(parts.joined(separator: "\0")))
    return folder?.appending("\(name).json")
  }
}

extension StoreSnapshot {
  /// Returns the state of the store in which a feed's record has a rev; nil for an empty store.
  package func mark(of rev: Int64) -> String? {
    header.map { "\($0.library) \($0.epoch) \(rev)" }
  }
}
