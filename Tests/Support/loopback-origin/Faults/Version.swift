/// The served version of a file and its validators.
struct Version: Sendable {
  enum Tag: Sendable {
    /// Derived from size, time and inode.
    case right
    case none
    /// The right tag, marked weak.
    case weak
    case fixed(String)
    /// The right tag followed by the number of the request or of the imitated server.
    case varied(Int64)
  }

  enum Modified: Sendable {
    case right
    case none
    /// The time of the response: never older than its Date.
    case now
    case fixed(Int64)
  }

  /// Whether NAME@2 is served instead of NAME.
  var second = false
  /// The offset from which the bytes are those of NAME@2.
  var changeAt: Int64?
  var tag = Tag.right
  var modified = Modified.right
  var hasDate = true

  static let words: [FaultWord] = [
    FaultWord("swap", "", "serve NAME@2 (use with after N: a changed file)") { behaviour, _ in
      behaviour.version.second = true
    },
    FaultWord("alternate", "", "serve NAME and NAME@2 by turns") {
      $0.version.second = $1.turn.isMultiple(of: 2)
    },
    FaultWord("swap-at", "OFFSET", "serve NAME, from OFFSET on NAME@2") {
      $0.version.changeAt = try $1.integer(0)
    },
    FaultWord("etag", "TEXT", "send this ETag, whatever the bytes") {
      $0.version.tag = .fixed(try $1.rest(0))
    },
    FaultWord("etag-none", "", "send no ETag") { behaviour, _ in behaviour.version.tag = .none },
    FaultWord("etag-weak", "", "send a weak ETag") { behaviour, _ in
      behaviour.version.tag = .weak
    },
    FaultWord("etag-rotate", "[N]", "another ETag each time, or N by turns") {
      $0.version.tag = .varied(Int64($1.turn) % max(1, try $1.integer(0, else: .max)))
    },
    FaultWord("modified", "UNIX", "send this Last-Modified, whatever the file") {
      $0.version.modified = .fixed(try $1.integer(0))
    },
    FaultWord("modified-now", "", "Last-Modified is always now") { behaviour, _ in
      behaviour.version.modified = .now
    },
    FaultWord("modified-none", "", "send no Last-Modified") { behaviour, _ in
      behaviour.version.modified = .none
    },
    FaultWord("no-validators", "", "neither ETag nor Last-Modified") { behaviour, _ in
      behaviour.version.tag = .none
      behaviour.version.modified = .none
    },
    FaultWord("no-date", "", "send no Date") { behaviour, _ in behaviour.version.hasDate = false },
  ]
}
