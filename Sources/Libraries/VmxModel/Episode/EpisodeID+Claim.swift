extension EpisodeID {
  /// The byte offset in the lock file for a claim on the episode: 4096 and up, below 2^62 + 4096.
  /// Two ids may share an offset; then one of them merely appears busy.
  package var claimOffset: Int64 {
    4096 + Int64(truncatingIfNeeded: StableHash.of(description) & (1 << 62 - 1))
  }
}
