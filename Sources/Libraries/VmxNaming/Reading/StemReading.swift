import VmxModel

/// The stem of a video, parsed with its folders as context.
struct StemReading {
  /// The place of the episode; nil if the stem has none.
  private(set) var place: EpisodePlace?
  /// The season of a stem without a number, as in `Show.S00.Pilot.DVDRip`.
  private(set) var season: Int64?
  /// The title of the episode.
  private(set) var title: String?
  /// The title of the show, from the stem or its folder.
  private(set) var show: ShowName?
  /// Whether the stem begins with the title of the show from the folder, and a hyphen.
  let followsShow: Bool

  /// - Parameters:
  ///   - folder: the folder of the show, if there is one.
  ///   - isFilm: whether the folder has the name of the file, whose numbers then belong to a title.
  init(
    _ name: NameText, stem: String, in folder: String?, season: SeasonFolder?,
    setting: EpisodePlace.Setting, isFilm: Bool
  ) {
    if let folder, let rest = EpisodeFileName.remainder(of: stem, after: folder) {
      followsShow = true
      show = ShowName(folder)
      readAfterShow(NameText(rest), setting)
      return
    }
    followsShow = false
    let folderName = folder.map(ShowName.init(foreignFolder:))
    var around = setting
    around.show = folderName.map { NameText.folded($0.show) }
    place = EpisodePlace.explicit(in: name)
    var showEnd = place?.range.lowerBound
    if place == nil, !isFilm, let found = EpisodePlace.parseBareNumber(in: name, around) {
      place = found
      showEnd = readSeason(in: name, before: found.range.lowerBound)
    } else if place == nil, !isFilm, let mark = SeasonMark.ofWhole(name) {
      self.season = mark.season
      showEnd = mark.range.lowerBound
    }
    let isBare = showEnd.map { $0 <= name.endOfLeadingGroups() } ?? false
    var own = isBare ? nil : showEnd.map { ShowName(inName: name.text(0..<$0)) }
    title = place.flatMap { EpisodeTitle.text(name, behind: $0) }
    if folder == nil, own?.show.isEmpty ?? true, let found = place, let rest = title {
      own = readShow(behind: found, name, rest)
    }
    show = Self.choose(own, folder: folderName, season)
  }

  /// Parses the text after `Show - `. Any pattern may occur at its beginning, only `S01E02`
  /// elsewhere.
  private mutating func readAfterShow(_ name: NameText, _ setting: EpisodePlace.Setting) {
    var around = setting
    around.followsShow = true
    let start = name[0].map { "[(".contains($0) } ?? false ? 1 : 0
    place =
      EpisodePlace.explicit(in: name, at: start) ?? EpisodePlace.lettered(in: name)
      ?? EpisodePlace.parseBareNumber(in: name, around)
    title = place.flatMap { EpisodeTitle.text(name, behind: $0) }
  }

  /// Takes the season that precedes a number: `Show S2 - 06`, `Stagione 6 720p ep13`.
  ///
  /// - Returns: the end of the show's title.
  private mutating func readSeason(in name: NameText, before end: Int) -> Int {
    let front = name.endOfLeadingGroups()
    let tag = ReleaseTags.start(in: name, from: front)
    guard let mark = SeasonMark.first(in: name, front..<max(front, end)) else {
      return tag > front ? min(tag, end) : end
    }
    if let number = place?.bareNumber, mark.range.lowerBound > front {
      place?.season = mark.season
      place?.number = number
    }
    return mark.range.lowerBound > front ? mark.range.lowerBound : end
  }

  /// Takes the title of the show from the text behind a number, in a name without a folder:
  /// `003. Show - Title`, `[Group] 05 - Show [720p]`.
  private mutating func readShow(
    behind place: EpisodePlace, _ name: NameText, _ rest: String
  ) -> ShowName? {
    let text = NameText(rest)
    if let hyphen = (0..<text.end).first(where: { text.isSpacedHyphen($0) }) {
      let behind = text.text(hyphen + 3..<text.end)
      title = behind.isEmpty ? nil : behind
      return ShowName(inName: text.text(0..<hyphen))
    }
    guard place.range.lowerBound > 0, name.endOfLeadingGroups() == place.range.lowerBound else {
      return nil
    }
    title = nil
    return ShowName(rest)
  }

  /// Selects the title of the show. The folder above a season is that of the show. Another folder
  /// is used only if the name begins with the same title, or with none.
  private static func choose(
    _ own: ShowName?, folder: ShowName?, _ season: SeasonFolder?
  ) -> ShowName? {
    let own = own.flatMap { $0.show.isEmpty ? nil : $0 }
    if let season, !season.show.isEmpty {
      let combined = ShowName(season.show)
      return folder.map { isSame($0, combined) } ?? false ? folder : combined
    }
    guard let folder, let own, season == nil else { return folder ?? own }
    return isSame(folder, own) ? folder : own
  }

  private static func isSame(_ left: ShowName, _ right: ShowName) -> Bool {
    NameText.folded(left.show) == NameText.folded(right.show)
  }
}

extension SeasonMark {
  /// Returns the season of a file that has no number but is plainly of a whole season: before a
  /// technical word, or of season 0. `Open Season 2` is a film.
  static func ofWhole(_ name: NameText) -> SeasonMark? {
    let front = name.endOfLeadingGroups()
    guard let mark = first(in: name, front..<name.end), mark.range.lowerBound > front,
      !name.isYear(after: mark.range.upperBound)
    else { return nil }
    let next = name.skipSeparators(from: mark.range.upperBound)
    let isWhole = next < name.end && ReleaseTags.isTag(in: name, at: next)
    let word = name.letters(at: mark.range.lowerBound)
    let isForeign =
      mark.isSpelled && !["season", "seasons", "series", "serie"].contains(word)
    let isLong = mark.range.count > 2
    return isForeign && (isWhole || next == name.end) || isLong && !mark.isSpelled && isWhole
      || mark.season == 0 && !mark.isSpelled && isLong ? mark : nil
  }
}
