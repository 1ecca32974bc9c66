import VmxModel

/// The changes that a compaction makes in addition to copying the current lines.
struct CompactionRequest {
  /// The header to continue from if the file has none.
  var header: StoreHeader?
  /// Whether valid JSON lines that this version cannot interpret move to `store.damaged` too.
  var puttingStrangeAside = false
  /// The broken lines that are no longer current and move to `store.damaged` too.
  var replaced: [DamagedLine] = []
  /// The time that replaces any later time in a line; nil to keep all times.
  var latest: Timestamp?
  /// The first of the new sequence numbers for lines whose own is not plausible.
  var firstSeq: Int64?
}
