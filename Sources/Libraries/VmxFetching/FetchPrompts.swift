package import VmxModel

/// The user's answer to the question whether to use a metered network.
package enum MeteredAnswer: Sendable, Equatable {
  /// For all episodes of the run.
  case yes
  /// For no episode of the run.
  case no
  /// For the show of the episode in question, in later runs too.
  case always
}

/// Asks the user during a run. Several worker threads call it at the same time.
package protocol FetchPrompts: Sendable {
  /// Asks whether to use a metered network; `always` is recorded as the mark of the show.
  ///
  /// - Parameter source: the origin of the verdict that the network is metered.
  /// - Throws: `WorkEnded` if the process is asked to stop; errors of the store.
  func confirmMetered(for id: EpisodeID, source: String) throws -> MeteredAnswer
  /// Asks which of several variants of a video to fetch.
  ///
  /// - Parameter usual: the variant to use if the user chooses none.
  /// - Throws: `WorkEnded` if the process is asked to stop.
  func variant(of id: EpisodeID, among offered: [Variant], usual: Variant) throws -> Variant
}
