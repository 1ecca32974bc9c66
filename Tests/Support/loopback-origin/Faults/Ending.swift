/// How fast a body flows and where it stops.
struct Ending: Sendable {
  enum Stop: Sendable {
    /// FIN: the declared length is not met.
    case cut
    case reset
    /// Nothing more comes for so many milliseconds; for ever if nil.
    case stall(Int64?)
  }

  /// The event after this many body bytes of the response.
  var stop: (after: Int64, how: Stop)?
  /// Bytes per second of this answer, after so many bytes at full speed.
  var rate: (bytes: Int64, from: Int64)?
  /// Bytes per second, shared by all answers under the key.
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
