// Whether two descriptions are one episode is decided here and nowhere else. Identity keys only
// find candidates. The rows are tried in their order, and the first that holds decides, so a row
// that speaks against outweighs each later row that speaks for.

/// The answer of the table of evidence.
package enum EvidenceVerdict: String, Sendable, CaseIterable {
  /// One episode.
  case same
  /// Probably one episode: a file joins, an item of a feed is known but not wanted.
  case likely
  /// Two episodes, or nothing is known.
  case different
}

/// The comparison of two descriptions: the verdict and the row of the table that decided.
///
///     let judgement = EvidenceTable.judge(described, recorded)
///     if judgement.verdict == .same { … }
package struct EvidenceJudgement: Sendable, Equatable {
  /// The verdict.
  package let verdict: EvidenceVerdict
  /// The row that decided; nil if no row holds.
  package let row: EvidenceRow?
  /// The number of signs that agree, to prefer one of several matches.
  package let agreements: Int

  /// Creates a judgement.
  package init(verdict: EvidenceVerdict, row: EvidenceRow?, agreements: Int) {
    (self.verdict, self.row, self.agreements) = (verdict, row, agreements)
  }

  /// Whether the row identifies an episode wherever it occurs: an id, a guid or a URL.
  package var isIdentity: Bool { row.map { $0 <= .address } ?? false }
}

/// A row of the table of evidence, in the order of the table.
package enum EvidenceRow: Int, Sendable, CaseIterable, Comparable {
  case ownID, item, otherListed, address, digest, otherItem, sibling, page, catalogueID,
    otherCatalogueID, otherShow
  case otherNumber
  case numberAndMore, number, dayAndTitle, onlyOfDay, fileNameAndMore, day, fileName
  case titleAndDuration, namesakeAndMore, namesake, sizedName

  package static func < (left: EvidenceRow, right: EvidenceRow) -> Bool {
    left.rawValue < right.rawValue
  }

  /// The verdict of the row.
  package var verdict: EvidenceVerdict {
    switch self {
    case .ownID, .item, .address, .digest, .page, .catalogueID, .numberAndMore, .dayAndTitle,
      .onlyOfDay,
      .fileNameAndMore, .namesakeAndMore:
      .same
    case .number, .day, .fileName, .sizedName, .titleAndDuration, .namesake: .likely
    case .otherListed, .otherItem, .sibling, .otherCatalogueID, .otherShow, .otherNumber: .different
    }
  }

  /// The evidence as a phrase, for messages.
  package var phrase: String {
    switch self {
    case .ownID: "the id of vmx"
    case .item: "the guid in one feed"
    case .otherListed: "another guid and day in the same document"
    case .address: "a URL"
    case .digest: "the bytes"
    case .otherItem: "another guid, URL and day"
    case .sibling: "another item of the same document"
    case .page: "the page of the episode"
    case .catalogueID: "the id at a catalogue or site"
    case .otherCatalogueID: "another id at a catalogue or site"
    case .otherShow: "another show"
    case .otherNumber: "another number"
    case .numberAndMore: "show, season and number"
    case .number: "only show, season and number"
    case .dayAndTitle: "show, day and title"
    case .onlyOfDay: "the only episode of its day"
    case .day: "only show and day"
    case .fileNameAndMore: "the file name of the enclosure, and size or duration"
    case .fileName: "only the file name of the enclosure"
    case .sizedName: "only the file name of the enclosure and its size"
    case .titleAndDuration: "show, title and duration"
    case .namesakeAndMore: "the show but for its year, and two of number, title, day and size"
    case .namesake: "only the show but for its year, and number or day"
    }
  }

  /// Whether the row holds for two descriptions.
  fileprivate func holds(_ pair: SignPair) -> Bool {
    switch self {
    case .ownID: pair.shares(.ownID) && !pair.isElsewhere
    case .item: pair.shares(.item) || pair.namesItem
    case .otherListed: pair.isListedApart && pair.hasOtherDay
    case .address: pair.shares(.address)
    case .digest: pair.shares(.digest) && !pair.isElsewhere
    case .otherItem:
      pair.differs(.item) && pair.differs(.address)
        && (pair.hasOtherDay || (!pair.hasDays && pair.hasOtherTitle))
    case .sibling: pair.isSibling
    // A page may show several films, and an item of a feed may link to the page of the show.
    case .page:
      pair.shares(.page) && !pair.differs(.item) && !pair.hasOtherNumber
        && !(pair.hasOtherTitle && (pair.hasOtherDay || pair.hasOtherLength))
    case .catalogueID: pair.shares(.catalogue) && !pair.isElsewhere
    // The keys are hashes, so the ids may be of different catalogues. Two records of one episode
    // are better than one record of two.
    case .otherCatalogueID: pair.differs(.catalogue)
    case .otherShow: pair.hasOtherShow
    case .otherNumber: pair.hasOtherNumber
    case .numberAndMore: pair.hasSameNumber && (pair.agreesInMore || !pair.isComparable)
    case .number: pair.hasSameNumber
    case .dayAndTitle: pair.hasSameShow && pair.hasSameDay && pair.hasSameTitle
    case .onlyOfDay:
      pair.hasSameShow && pair.hasSameDay && pair.isOnlyOfDay && pair.lacksTitle
    case .fileNameAndMore:
      pair.hasSameShow && pair.shares(.fileName) && (pair.hasSameSize || pair.hasSameDuration)
    case .day: pair.hasSameShow && pair.hasSameDay && pair.shares(.day)
    case .fileName: pair.hasSameShow && pair.shares(.fileName)
    case .titleAndDuration:
      pair.hasSameShow && pair.hasSameTitle && pair.hasSameDuration && !pair.hasOtherDay
    // A year may also tell two shows of one name apart, so a number alone says less.
    case .namesakeAndMore:
      pair.isOfNamesakes && pair.agreesInTwo
    case .namesake:
      pair.isOfNamesakes && !pair.hasOtherTitle
        && (pair.hasEqualNumbers || (pair.hasSameDay && pair.isOnlyOfDay)
          || (pair.hasSameTitle && pair.hasSameDuration))
    // A folder of downloads is no show, so the folder says nothing.
    // The sizes that feeds publish may be made up, so two items are not compared.
    case .sizedName:
      pair.shares(.sizedName) && !pair.differs(.item) && !pair.hasOtherDay && !pair.hasOtherLength
    }
  }
}

/// The table of evidence.
package enum EvidenceTable {
  /// Compares two descriptions. The result does not depend on their order.
  package static func judge(_ one: EpisodeSigns, _ other: EpisodeSigns) -> EvidenceJudgement {
    let pair = SignPair(one: one, other: other)
    let row = EvidenceRow.allCases.first { $0.holds(pair) }
    return EvidenceJudgement(
      verdict: row?.verdict ?? .different, row: row, agreements: pair.agreements)
  }
}

/// Two descriptions that are compared.
private struct SignPair {
  let one: EpisodeSigns
  let other: EpisodeSigns

  func shares(_ kind: IdentityKey.Kind) -> Bool {
    one.keys.contains { $0.kind == kind && other.keys.contains($0) }
  }

  /// Whether one of them, which belongs to no feed, has the guid of the other one.
  var namesItem: Bool { Self.names(one, other) || Self.names(other, one) }

  private static func names(_ list: EpisodeSigns, _ item: EpisodeSigns) -> Bool {
    guard list.guidOfAnyFeed == nil, let guid = item.guidOfAnyFeed else { return false }
    return list.keys.contains(guid) || list.keys.contains(guid.ofName)
  }

  /// Whether both have keys of a kind, and none in common.
  func differs(_ kind: IdentityKey.Kind) -> Bool {
    one.keys.contains { $0.kind == kind } && other.keys.contains { $0.kind == kind }
      && !shares(kind)
  }

  var hasSameShow: Bool { (hasSameSlug || sharesKeyOfShow) && !hasOtherShow }
  private var hasSameSlug: Bool { one.show != nil && one.show == other.show }
  /// Whether a key that names a show is of both. A record may be of a second show, as if its source
  /// was added without one, or if two feeds have it.
  private var sharesKeyOfShow: Bool {
    shares(.number) || shares(.day) || shares(.title) || shares(.fileName)
  }
  var hasOtherShow: Bool {
    guard one.show == other.show, let first = one.showTitle, let second = other.showTitle else {
      return false
    }
    return first != second
  }

  /// Whether one of the shows has the title of the other one and a year, and nothing contradicts.
  var isOfNamesakes: Bool {
    guard let first = one.show, let second = other.show, first != second else { return false }
    return
      (EpisodeSigns.withoutYear(slug: first)?.description == second
      || EpisodeSigns.withoutYear(slug: second)?.description == first)
      && !hasOtherDay && !hasOtherDuration
  }
  /// Whether two of number, title, day and size agree.
  var agreesInTwo: Bool {
    [hasEqualNumbers, hasSameTitle, hasSameDay, hasSameSize].count { $0 } > 1
  }

  var hasNumbers: Bool { one.number != nil && other.number != nil }
  var hasOtherNumber: Bool {
    hasNumbers && (one.number != other.number || one.season ?? 1 != other.season ?? 1)
  }
  var hasEqualNumbers: Bool { hasNumbers && !hasOtherNumber }
  var hasSameNumber: Bool {
    !hasOtherNumber && !hasOtherShow && (shares(.number) || (hasSameShow && hasNumbers))
  }

  var hasDays: Bool { !one.days.isEmpty && !other.days.isEmpty }
  var hasSameDay: Bool { !one.days.isDisjoint(with: other.days) }
  var hasOtherDay: Bool { hasDays && !hasSameDay }

  var lacksTitle: Bool { one.title == nil || other.title == nil }
  var hasSameTitle: Bool {
    guard let first = one.title, let second = other.title else { return false }
    return EpisodeSigns.hasSameLetters(first, second)
  }
  var hasOtherTitle: Bool { !lacksTitle && !hasSameTitle }

  var hasSameDuration: Bool {
    guard let first = one.duration ?? one.measuredDuration,
      let second = other.duration ?? other.measuredDuration
    else { return false }
    // Feeds round to seconds.
    return abs(first - second) <= max(1000, max(first, second) / 50)
  }
  /// Whether the playing times differ, measured ones too.
  var hasOtherLength: Bool {
    one.duration ?? one.measuredDuration != nil && other.duration ?? other.measuredDuration != nil
      && !hasSameDuration
  }
  private var hasOtherDuration: Bool {
    one.duration != nil && other.duration != nil && !hasSameDuration
  }
  var hasSameSize: Bool { !one.sizes.isDisjoint(with: other.sizes) }
  var isOnlyOfDay: Bool { one.isOnlyOfDay && other.isOnlyOfDay }

  var agreesInMore: Bool { hasSameTitle || hasSameDay || hasSameDuration || hasSameSize }
  /// Whether both have a value that could agree. A published size is often wrong, so a different
  /// one says nothing.
  var isComparable: Bool {
    !lacksTitle || hasDays || (one.duration != nil && other.duration != nil)
  }

  /// Whether the number differs or, without two numbers, the day.
  var isElsewhere: Bool { hasNumbers ? hasOtherNumber : hasOtherDay }

  /// Whether one of them is another item of the document to which the other belongs.
  var isSibling: Bool {
    one.hasSibling(other) || other.hasSibling(one)
  }

  /// Whether a document has both, each with a guid of its own.
  var isListedApart: Bool {
    differs(.item) && (one.hasSibling(other, of: .item) || other.hasSibling(one, of: .item))
  }

  var agreements: Int {
    [
      shares(.ownID), shares(.item), shares(.address), shares(.digest), shares(.page),
      shares(.catalogue), hasSameNumber, hasSameDay, hasSameTitle, hasSameDuration, hasSameSize,
      shares(.fileName),
    ].count { $0 }
  }
}
