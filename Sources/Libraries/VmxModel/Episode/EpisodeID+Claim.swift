extension EpisodeID {
  /// The byte of the lock file that stands for a claim on the episode: 4096 and up, below 2^62 +
  /// 4096. Two ids may share one, which only makes one of them look busy.
  package var claimOffset: Int64 {
    4096 + Int64(truncatingIfNeeded: StableHash.of(description) & (1 << 62 - 1))
  }
}
