package import SystemPackage
package import VmxCatalogue
import VmxJSON
package import VmxModel
import VmxSystem

// The results of checks are a cache: a file for each feed, which may be lost at any time. Then the
// feed is due, and is sent as a whole once more. A file holds neither URL nor title.

/// The last check of a feed.
package struct FeedCheck: Sendable, Equatable {
  /// The time of the check.
  package var checked: Timestamp
  /// The validators of the document whose items were all taken.
  package var validators = DocumentValidators()
  /// The `StableHash` of the bytes of that document.
  package var content: UInt64?
  /// The time for which the publisher asks not to request it again, in milliseconds.
  package var restTime: Int64?

  /// Creates the result of a check.
  package init(checked: Timestamp) {
    self.checked = checked
  }
}

/// The last checks of the feeds of one library, in the cache of the user.
package struct FeedChecks: Sendable {
  private let folder: FilePath?
  private let library: String

  /// Creates the checks of a library.
  ///
  /// - Parameters:
  ///   - cache: the folder of vmx in the user's cache; nil where there is none.
  ///   - home: the home of the library, since each library takes the items for itself.
  package init(cache: FilePath?, home: FilePath) {
    folder = cache?.appending("feeds")
    library = home.string
  }

  /// Returns the last check of a feed with its present URL and rules; nil if there is none.
  package func last(of feed: Subscription) -> FeedCheck? {
    guard let path = path(of: feed) else { return nil }
    do {
      guard let bytes = try readFile(path, limit: ByteCount(clamping: 1 << 16)),
        let object = try JSONParser().parse(bytes).object,
        let text = object["checked"]?.string, let checked = Timestamp(text)
      else { return nil }
      var check = FeedCheck(checked: checked)
      check.validators = DocumentValidators(
        etag: object["etag"]?.string, lastModified: object["last_modified"]?.string)
      check.content = object["content"]?.string.flatMap { UInt64($0, radix: 16) }
      check.restTime = object["rest_ms"]?.integer
      return check
    } catch {
      // A damaged file costs one request.
      return nil
    }
  }

  /// Keeps the check of a feed. A cache that cannot be written costs requests, and no more.
  package func keep(_ check: FeedCheck, of feed: Subscription) {
    guard let folder, let path = path(of: feed) else { return }
    var object = JSONObject()
    object.append("checked", check.checked.text)
    object.append("etag", check.validators.etag)
    object.append("last_modified", check.validators.lastModified)
    object.append("content", check.content.map { Hex.text(of: $0) })
    object.append("rest_ms", check.restTime.map { .integer($0) })
    var bytes: [UInt8] = []
    JSONWriter.append(object, to: &bytes)
    do throws(FileError) {
      try makeFolders(folder)
      try AtomicFile.replace(path, with: bytes, durable: false)
    } catch {
      // The next check asks without validators.
    }
  }

  /// Forgets the check of a feed.
  package func forget(_ feed: Subscription) {
    guard let path = path(of: feed) else { return }
    do throws(FileError) {
      try removeFile(path)
    } catch {
      // There was none.
    }
  }

  /// The name depends on all that decides what is taken, so that a changed rule reads the feed anew.
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
