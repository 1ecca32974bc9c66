/// What a proof says of one file of an episode.
package enum Verdict: String, Sendable, CaseIterable {
  /// It is what the record says.
  case intact
  /// Other bytes stand in its place.
  case damaged
  /// Nothing stands in its place, nor was it found elsewhere.
  case missing
  /// It was found elsewhere in its root.
  case moved
  /// The root that holds it is not there.
  case unreachable
}
