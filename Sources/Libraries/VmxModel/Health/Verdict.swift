/// The result of the verification of one file of an episode.
package enum Verdict: String, Sendable, CaseIterable {
  /// The file matches its record.
  case intact
  /// The file at the path has other bytes.
  case damaged
  /// There is no file at the path, and it was not found elsewhere.
  case missing
  /// The file was found elsewhere in its root.
  case moved
  /// The root of the file is not available.
  case unreachable
}
