import VmxModel

// Bytes of another program come without the response that they are of. Blocks of each run of them are
// fetched again; all responses have to be of one version, whose validator the bytes then have. The
// gaps between the runs are fetched only by that validator: without a strong one the runs behind the
// first gap are dropped as usual (`nextPlans`).
extension SourceFetch {
  /// The number of blocks between the first and the last of a later run.
  private static let blocksWithinLaterRun = 2

  /// The requests that verify the bytes of another program, and that of the bytes behind the first
  /// run; nil if that is too short.
  func foreignPlans() throws(TransferError) -> [RangePlan]? {
    guard let first = try part.probe(between: Self.blocksBetween) else { return nil }
    // A run that ends with equal bytes has an end that proves nothing.
    if first.last.end != part.prefix { part.drop(from: part.prefix) }
    let later = try probesOfLaterRuns()
    var plans = first.plans
    plans.last.end = part.gap.end
    return plans.probes + later + [plans.last]
  }

  /// The requests of blocks of each run behind the first gap. Runs are dropped from the first on that
  /// has no blocks at both ends.
  private func probesOfLaterRuns() throws(TransferError) -> [RangePlan] {
    var plans: [RangePlan] = []
    for run in part.laterRuns {
      guard let probe = try part.probe(of: run, between: Self.blocksWithinLaterRun) else {
        part.drop(from: run.start)
        return plans
      }
      plans += probe.blocks
    }
    return plans
  }
}
