import VmxModel

/// The numbers of a course whose files have none: from 1 in each show and season, in the order of
/// the files.
package struct CourseNumbers {
  private struct Season: Hashable {
    let show: String
    let season: Int64?
  }

  private var last: [Season: Int64] = [:]
  /// The seasons that have numbers of their own.
  private var numbered: Set<Season> = []

  /// Creates numbers that begin at 1.
  package init() {}

  /// Returns the findings with numbers for episodes that have neither number nor date, and that
  /// only their names identify. A season in which a name has a number is left unchanged.
  package mutating func number(_ findings: [LegacyFinding]) -> [LegacyFinding] {
    for case .episode(let episode) in findings where episode.description.number != nil {
      numbered.insert(Self.season(of: episode))
    }
    return findings.map { finding in
      guard case .episode(var episode) = finding, episode.doubts.contains(.nameOnly),
        episode.description.number == nil, episode.description.date == nil
      else { return finding }
      let season = Self.season(of: episode)
      guard !numbered.contains(season) else { return finding }
      last[season, default: 0] += 1
      episode.description.number = last[season]
      return .episode(episode)
    }
  }

  private static func season(of episode: LegacyEpisode) -> Season {
    Season(show: episode.description.showTitle ?? "", season: episode.description.season)
  }
}
