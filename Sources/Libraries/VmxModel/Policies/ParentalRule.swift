/// The limit of parental control, and whether it currently applies.
///
/// One function decides for every tool whether an episode may be shown and played:
///
///     let rule = ParentalRule(limit: 12, unrated: .hide, isUnlocked: false)
///     rule.allows(AgeRating("FSK 16"), ofShow: nil)  // false
package struct ParentalRule: Sendable, Equatable {
  /// The treatment of episodes without a known rating.
  package enum Unrated: String, Sendable, CaseIterable {
    /// They are above every limit and therefore hidden.
    case hide
    /// They are below every limit and therefore shown.
    case show
  }

  /// The highest age whose episodes are shown, in years.
  package let limit: Int64
  /// The treatment of episodes without a known rating.
  package let unrated: Unrated
  /// Whether the correct PIN was entered, so that nothing is hidden for a while.
  package let isUnlocked: Bool

  /// Creates a rule.
  package init(limit: Int64, unrated: Unrated, isUnlocked: Bool) {
    self.limit = limit
    self.unrated = unrated
    self.isUnlocked = isUnlocked
  }

  /// The rule for a library whose limit cannot be read: only episodes for all ages are shown.
  package static let strictest = ParentalRule(limit: 0, unrated: .hide, isUnlocked: false)

  /// Whether an episode may be shown and played.
  ///
  /// The episode's own rating takes precedence over that of its show. A text of no known rating
  /// system counts as no rating.
  package func allows(_ rating: AgeRating?, ofShow show: AgeRating?) -> Bool {
    if isUnlocked { return true }
    guard let age = (rating ?? show)?.age else { return unrated == .show }
    return age <= limit
  }
}

extension Failure {
  /// Creates the failure for an episode above the limit: `parental`.
  package static func aboveLimit(_ id: some CustomStringConvertible) -> Failure {
    Failure(.parental, "'\(id)' is above the limit of parental control")
  }

  /// Creates the failure for a change of an age rating while parental control applies: `parental`.
  ///
  /// - Parameter name: the id of the episode, or the slug of the show.
  package static func ratingProtected(_ name: String) -> Failure {
    Failure(.parental, "a PIN protects the age rating of '\(name)'")
  }
}
