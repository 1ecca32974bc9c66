/// The faults of one response; a new value describes a correct response.
struct Behaviour: Sendable {
  var opening = Opening()
  var gate = Gate()
  var version = Version()
  var ranges = RangeFaults()
  var body = BodyFaults()
  var framing = Framing()
  var ending = Ending()
  /// The faults that were applied, as written in the rules.
  var applied: [String] = []
}
