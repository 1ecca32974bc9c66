/// The faults before or within the header of a response.
struct Opening: Sendable {
  /// The way in which the connection ends without a response.
  enum Drop: Sendable {
    case finish
    case reset
    /// Nothing is ever sent; the client has to time out.
    case hang
  }

  var drop: Drop?
  /// The number of milliseconds before the first byte.
  var wait: Int64 = 0
  /// The number of bytes that are not HTTP and are sent first.
  var garbage: Int64 = 0
  /// Whether nothing follows these bytes.
  var onlyGarbage = false
  /// The number of informational responses (103) sent first.
  var informational: Int64 = 0
  /// The number of bytes of legal but useless header fields; nil for an endless header.
  var filler: Int64? = 0
  /// The number of bytes of the header after which the connection ends.
  var cutAfter: Int64?
  /// The rate of the header in bytes per second.
  var rate: Int64?

  static let words: [FaultWord] = [
    FaultWord("drop", "", "end the connection without an answer") { behaviour, _ in
      behaviour.opening.drop = .finish
    },
    FaultWord("drop-reset", "", "reset the connection without an answer") { behaviour, _ in
      behaviour.opening.drop = .reset
    },
    FaultWord("hang", "", "take the request and never answer") { behaviour, _ in
      behaviour.opening.drop = .hang
    },
    FaultWord("wait", "MS", "let the header wait") { behaviour, arguments in
      behaviour.opening.wait = try arguments.integer(0)
    },
    FaultWord("garbage", "[BYTES]", "send garbage before the answer") { behaviour, arguments in
      behaviour.opening.garbage = try arguments.integer(0, else: 64)
    },
    FaultWord("no-http", "[BYTES]", "send garbage instead of an answer") { behaviour, arguments in
      behaviour.opening.garbage = try arguments.integer(0, else: 4096)
      behaviour.opening.onlyGarbage = true
    },
    FaultWord("hints", "[N]", "send N answers 103 first") { behaviour, arguments in
      behaviour.opening.informational = try arguments.integer(0, else: 1)
    },
    FaultWord("big-head", "BYTES", "add legal header fields of that size") { behaviour, arguments in
      behaviour.opening.filler = try arguments.integer(0)
    },
    FaultWord("endless-head", "", "header fields without end") { behaviour, _ in
      behaviour.opening.filler = nil
    },
    FaultWord("cut-head", "BYTES", "end the connection within the header") { behaviour, arguments in
      behaviour.opening.cutAfter = try arguments.integer(0)
    },
    FaultWord("slow-head", "RATE", "send the header at RATE bytes/s") { behaviour, arguments in
      behaviour.opening.rate = try arguments.integer(0)
    },
  ]
}
