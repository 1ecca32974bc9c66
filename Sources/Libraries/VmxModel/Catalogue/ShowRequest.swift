/// A show that an operand or an input row identifies.
package enum ShowRequest: Sendable, Equatable {
  /// The id in the catalogue.
  case id(Int64)
  /// The slug in the library, or the title.
  case name(String)
  /// The slug of a show of the library, which is not looked up in the catalogue.
  case slug(String)

  /// Parses an operand. A number is an id of the catalogue, and so is the number in the address of
  /// a page.
  package init(_ text: String) {
    if let id = Int64(text), id > 0 {
      self = .id(id)
    } else {
      self.init(line: text)
    }
  }

  /// Parses the first column of a line of text. There a number alone is the slug of a show, since
  /// it may also be a rank or a size; `tvmaze:` marks an id of the catalogue.
  package init(line text: String) {
    if let id = CatalogueID.show(text) ?? Self.id(inAddress: text) {
      self = .id(id)
    } else if let number = Int64(text), number >= 0 {
      self = .slug(text)
    } else {
      self = .name(text)
    }
  }

  /// Decodes a row. A show or a credit is identified by its id, an episode by the id of its show,
  /// and a favourite by its slug.
  ///
  /// - Throws: `bad-line` if the row identifies no show.
  package init(_ row: JSONObject) throws(Failure) {
    let id = row["id"]?.string
    switch row["row"]?.string {
    case "show"?, "credit"?:
      if let id, Self.isOfLibrary(row) {
        self = .slug(id)
        return
      }
      if let number = id.flatMap({ Int64($0) }), number > 0 {
        self = .id(number)
        return
      }
    default:
      let number = row["tvmaze_show"]?.integer ?? row["tvmaze"]?.integer
      if let number, number > 0 {
        self = .id(number)
        return
      }
      if let slug = row["show"]?.string ?? id, !slug.isEmpty {
        self = .name(slug)
        return
      }
    }
    throw Failure(.badLine, "the row has no show")
  }

  /// Whether a row of a show is of one of the library, whose id is its slug.
  package static func isOfLibrary(_ row: JSONObject) -> Bool {
    row["id"]?.string.map { !$0.isEmpty && $0 == row["show"]?.string } ?? false
  }

  private static func id(inAddress text: String) -> Int64? {
    guard text.contains("tvmaze.com/"), let range = text.firstRange(of: "/shows/") else {
      return nil
    }
    return Int64(text[range.upperBound...].prefix { $0.isNumber })
  }
}

/// A person that an operand or an input row identifies.
package enum PersonRequest: Sendable, Equatable {
  /// The id in the catalogue.
  case id(Int64)
  /// Words of the name.
  case name(String)

  /// Parses an operand: an id or a name.
  package init(_ text: String) {
    self = (Int64(text) ?? CatalogueID.person(text)).map { .id($0) } ?? .name(text)
  }

  /// Parses the first column of a line of text, in which a number alone may be anything.
  ///
  /// - Throws: `bad-line` for a number.
  package init(line text: String) throws(Failure) {
    guard Int64(text) == nil else {
      throw Failure(
        .badLine, "the number '\(text)' alone is not the id of a person",
        hint: "write '\(CatalogueID.text(ofPerson: text))', or pipe in rows (--json)")
    }
    self.init(text)
  }

  /// Decodes a row.
  ///
  /// - Throws: `bad-line` if the row identifies no person.
  package init(_ row: JSONObject) throws(Failure) {
    guard row["row"]?.string == "person", let id = row["id"]?.string.flatMap({ Int64($0) }) else {
      throw Failure(
        .badLine, "the row has no person",
        hint: "run 'vmx search --people TEXT --json' for rows of people")
    }
    self = .id(id)
  }
}

/// The ids of the catalogue in text, which no other number of a pipe can be taken for.
package enum CatalogueID {
  private static let prefix = "tvmaze:"
  private static let people = "people/"

  /// Returns an id of a show as text: `tvmaze:139`.
  package static func text(ofShow id: String) -> String { prefix + id }

  /// Returns an id of a person as text: `tvmaze:people/37135`.
  package static func text(ofPerson id: String) -> String { prefix + people + id }

  /// Returns the id of a show in a text with the prefix; nil for other text.
  package static func show(_ text: String) -> Int64? { number(text, after: prefix) }

  /// Returns the id of a person in a text with the prefix; nil for other text.
  package static func person(_ text: String) -> Int64? { number(text, after: prefix + people) }

  private static func number(_ text: String, after prefix: String) -> Int64? {
    guard text.hasPrefix(prefix), let id = Int64(text.dropFirst(prefix.count)), id > 0 else {
      return nil
    }
    return id
  }
}
