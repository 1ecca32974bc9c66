/// The rate of a body and the point at which it stops.
struct Ending: Sendable {
  enum Stop: Sendable {
    /// FIN before the declared length is reached.
    case cut
    case reset
    /// Nothing is sent for this many milliseconds; nil for ever.
    case stall(Int64?)
  }

  /// The event after this many body bytes of the response.
  var stop: (after: Int64, how: Stop)?
  /// The rate of this response in bytes per second, after this many bytes at full speed.
  var rate: (bytes: Int64, from: Int64)?
  /// The rate in bytes per second that all responses under the key share.
  var shared: (bytes: Int64, key: String)?

  static let words: [FaultWord] = [
    FaultWord("cut", "BYTES", "end the connection after BYTES of the body") {
      $0.ending.stop = (try $1.integer(0), .cut)
    },
    FaultWord("reset", "BYTES", "reset the connection after BYTES of the body") {
      $0.ending.stop = (try $1.integer(0), .reset)
    },
    FaultWord("stall", "BYTES[:MS]", "send nothing more after BYTES (for MS)") {
      let pause = $1.texts.count > 1 ? try $1.integer(1) : nil
      $0.ending.stop = (try $1.integer(0), .stall(pause))
    },
    FaultWord("rate", "RATE[:FROM]", "RATE bytes/s an answer, from byte FROM on") {
      $0.ending.rate = (try $1.integer(0), try $1.integer(1, else: 0))
    },
    FaultWord("throttle", "RATE", "RATE bytes/s for all answers of the rule") {
      $0.ending.shared = (try $1.integer(0), $1.key)
    },
  ]
}
