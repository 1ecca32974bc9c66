/// The cache policy for responses of a catalogue.
package enum CatalogueFreshness: Sendable {
  /// Uses cached responses while they are valid.
  case useCache
  /// Requests each response again.
  case refresh
  /// Makes no requests; uses cached responses of any age.
  case offline
}
