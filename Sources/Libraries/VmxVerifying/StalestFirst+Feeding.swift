package import VmxModel
package import VmxStore

extension StoreSnapshot {
  /// Calls the closure with the summary of each episode that matches a query until it returns
  /// false.
  ///
  /// - Parameter skipFilter: skips the episodes for which a size check suffices, if the query
  ///   matches everything.
  /// - Throws: the errors of the closure and of the store.
  package func summaries(
    matching query: EpisodeQuery, through skipFilter: SkipFilter? = nil,
    _ body: (EpisodeSummary) throws -> Bool
  ) throws {
    guard !query.isEmpty else { return try summaries(unless: skipFilter, body) }
    try episodes(matching: query) { try body(EpisodeSummary($0)) }
  }

  /// Submits the files of the episodes that match a query: those verified longest ago first.
  ///
  /// - Parameters:
  ///   - isQuick: whether the order is irrelevant, since only existence and size are checked; then
  ///     files are submitted in batches.
  ///   - submit: returns false if it accepts no more.
  /// - Throws: the errors of the store.
  package func verificationItems(
    matching query: EpisodeQuery, isQuick: Bool, through skipFilter: SkipFilter?,
    _ submit: ([VerificationItem]) -> Bool
  ) throws {
    guard isQuick else {
      var order = StalestFirst()
      try summaries(matching: query, through: nil) { summary in
        order.add(summary)
        return true
      }
      return order.forEach(in: self) { submit([$0]) }
    }
    let largestBatch = 256
    var batch: [VerificationItem] = []
    try summaries(matching: query, through: skipFilter) { summary in
      batch += VerificationItem.all(of: summary)
      guard batch.count >= largestBatch else { return true }
      defer { batch.removeAll(keepingCapacity: true) }
      return submit(batch)
    }
    if !batch.isEmpty { _ = submit(batch) }
  }
}

extension VerificationResult {
  /// The result for the row that the next tool reads. Without a verdict and a failure, another
  /// process works on the file, or its record has changed meanwhile.
  package var result: OperationResult {
    switch answer {
    case .intact: .done
    case .damaged, .missing, .moved: failure.map { .failed($0) } ?? .done
    case .unreachable: failure.map { .waiting($0) } ?? .unchanged()
    case nil: failure.map { .failed($0) } ?? .unchanged()
    }
  }
}
