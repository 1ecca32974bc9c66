import VmxModel

/// The changes that a compaction makes beside copying the lines that count.
struct CompactionRequest {
  /// The header to go on from, where the file has none.
  var header: StoreHeader?
  /// Whether lines that mean nothing to this version go to `store.damaged` too.
  var puttingStrangeAside = false
  /// Broken lines that count no longer and go to `store.damaged` too.
  var replaced: [DamagedLine] = []
  /// The time that lines with a later one get; nil to leave all times.
  var latest: Timestamp?
  /// The first number for lines whose own is not plausible.
  var firstSeq: Int64?
}
