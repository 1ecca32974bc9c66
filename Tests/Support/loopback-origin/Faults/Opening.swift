/// The faults before or within the header of a response.
struct Opening: Sendable {
  /// How the connection ends without an answer.
  enum Drop: Sendable {
    case finish
    case reset
    /// Nothing is ever sent; the client has to give up.
    case hang
  }

  var drop: Drop?
  /// Milliseconds before the first byte.
  var wait: Int64 = 0
  /// Bytes that are no HTTP, sent first.
  var garbage: Int64 = 0
  /// Nothing follows the garbage.
  var onlyGarbage = false
  /// Informational answers (103) sent first.
  var informational: Int64 = 0
  /// The number of bytes of legal but useless header fields; nil for an endless header.
  var filler: Int64? = 0
  /// The connection ends after so many bytes of the header.
  var cutAfter: Int64?
  /// Bytes of the header per second.
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
