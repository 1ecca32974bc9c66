import VmxModel

// Bytes of another program exist without the response from which they came. Blocks of each run of
// them are fetched again. All responses must have the same version, and its validator then applies
// to the bytes. The gaps between the runs are fetched only by that validator. Without a strong
// validator, the runs after the first gap are dropped as usual (`nextPlans`).
extension SourceFetch {
  /// The number of blocks between the first and the last of a later run.
  private static let blocksWithinLaterRun = 2

  /// The requests that verify the bytes of another program, and the request for the bytes after the
  /// first run; nil if that run is too short.
  func foreignPlans() throws(TransferError) -> [RangePlan]? {
    guard let first = try part.probe(between: Self.blocksBetween) else { return nil }
    // The end of a run that ends with equal bytes proves nothing.
    if first.last.end != part.prefix { part.discard(from: part.prefix) }
    let later = try probesOfLaterRanges()
    var plans = first.plans
    plans.last.end = part.gap.end
    return plans.probes + later + [plans.last]
  }

  /// The requests of blocks of each run after the first gap. Drops the first run that has no blocks
  /// at both ends, and all runs after it.
  private func probesOfLaterRanges() throws(TransferError) -> [RangePlan] {
    var plans: [RangePlan] = []
    for run in part.laterRanges {
      guard let probe = try part.probe(of: run, between: Self.blocksWithinLaterRun) else {
        part.discard(from: run.start)
        return plans
      }
      plans += probe.blocks
    }
    return plans
  }
}
