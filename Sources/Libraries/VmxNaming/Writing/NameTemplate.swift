import VmxModel

/// A template for the names of new media files: text with fields in braces, and slashes between
/// folders.
///
/// A field without a value is omitted together with the text before it, up to the previous field or
/// slash. An empty folder is omitted too.
///
///     let template = NameTemplate("{show}/{season_folder}/{show} - {place} - {title}")
package struct NameTemplate: Sendable, Equatable {
  /// The fields of a template.
  package enum Field: String, Sendable, CaseIterable {
    /// The title of the show.
    case show
    /// The first half of the id.
    case showSlug = "show_slug"
    /// `Season 01`, `Specials`, or `Season 2024` of a daily show.
    case seasonFolder = "season_folder"
    /// The season with two digits or more.
    case season
    /// The number within the season, with two digits or more.
    case number
    /// `S01E02`, or the day of a daily show.
    case place
    /// The day of first showing.
    case date
    /// The year of that day.
    case year
    /// The title of the episode.
    case title
    /// The second half of the id.
    case slug

    /// Whether the field distinguishes the episodes of a season.
    var isOfEpisode: Bool {
      switch self {
      case .number, .place, .date, .title, .slug: true
      case .show, .showSlug, .seasonFolder, .season, .year: false
      }
    }
  }

  /// The text before a field, and the field; nil at the end of a component.
  struct Piece: Sendable, Equatable {
    let text: String
    let field: Field?
  }

  /// The accepted values, worded for messages and the manual.
  package static let allowed =
    "a relative path with {"
    + Field.allCases.map(\.rawValue).joined(separator: "}, {")
    + "}, whose last component differs between episodes"

  /// The built-in names, which Kodi, Jellyfin and Plex recognise.
  package static let standardText = "{show}/{season_folder}/{show} - {place} - {title}"
  /// The built-in template.
  package static let standard = NameTemplate(
    components: [
      [Piece(text: "", field: .show)], [Piece(text: "", field: .seasonFolder)],
      [
        Piece(text: "", field: .show), Piece(text: " - ", field: .place),
        Piece(text: " - ", field: .title),
      ],
    ])

  /// The pieces of each folder and of the file name, which always exists.
  let components: [[Piece]]

  private init(components: [[Piece]]) {
    self.components = components
  }

  /// Parses a template. Nil for an unknown field, an unmatched brace, or a character that no file
  /// name may have. Also nil for a folder without a name or with a leading dot, and for a file name
  /// without a field that distinguishes episodes.
  package init?(_ text: String) {
    var components: [[Piece]] = []
    for component in text.split(separator: "/", omittingEmptySubsequences: false) {
      guard let pieces = Self.pieces(of: component) else { return nil }
      components.append(pieces)
    }
    guard components.last?.contains(where: { $0.field?.isOfEpisode == true }) == true else {
      return nil
    }
    self.components = components
  }

  private static func pieces(of component: Substring) -> [Piece]? {
    guard !component.isEmpty, component.first != "." else { return nil }
    var pieces: [Piece] = []
    var rest = component
    while let open = rest.firstIndex(of: "{") {
      let text = String(rest[..<open])
      guard let close = rest[open...].firstIndex(of: "}"), isPlain(text),
        let field = Field(rawValue: String(rest[rest.index(after: open)..<close]))
      else { return nil }
      pieces.append(Piece(text: text, field: field))
      rest = rest[rest.index(after: close)...]
    }
    guard isPlain(String(rest)) else { return nil }
    if !rest.isEmpty { pieces.append(Piece(text: String(rest), field: nil)) }
    return pieces
  }

  /// Whether a file name may contain the text unchanged.
  private static func isPlain(_ text: String) -> Bool {
    !text.contains("}") && SafeName.component("x\(text)x") == "x\(text)x"
  }

  /// Returns a component; empty if no field has a value and no text follows the last one.
  ///
  /// - Parameter value: returns the value of a field, safe for a name; empty for none.
  static func text(of pieces: [Piece], _ value: (Field) -> String) -> String {
    var text = ""
    for (index, piece) in pieces.enumerated() {
      guard let field = piece.field else {
        text += piece.text
        continue
      }
      let found = value(field)
      // The text before a field separates it from the previous one; without that one it is omitted.
      let isFirst = text.isEmpty && index > 0
      if !found.isEmpty { text += (isFirst ? "" : piece.text) + found }
    }
    return text
  }
}
