/// Counts the files that an import leaves out since their part has another file already.
struct SurplusFiles {
  private var count = 0
  private var first: String?

  /// Adds the files of an episode.
  mutating func add(_ read: BundledEpisode.Read) {
    guard case .success(let bundled) = read.episode, let path = bundled.surplus.first else {
      return
    }
    count += bundled.surplus.count
    first = first ?? path
  }

  /// The message for the user; nil if there are none.
  var note: String? {
    first.map {
      "files whose part has another file already are not imported: \(count), the first is '\($0)'"
    }
  }
}
