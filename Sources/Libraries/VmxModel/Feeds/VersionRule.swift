/// The rule for an item of a feed that offers another version of a ready episode: with another URL,
/// and with another title or day.
package enum VersionRule: String, Sendable, CaseIterable {
  /// The episode keeps its title and its bytes.
  case keep
  /// The other version becomes an episode of its own. `vmx clean` removes the earlier one once the
  /// other is ready.
  case fetch
  /// The other version becomes an episode of its own.
  case both

  /// The values that a user may give, as one phrase.
  package static let allowed = allCases.map(\.rawValue).joined(separator: ", ")
}
