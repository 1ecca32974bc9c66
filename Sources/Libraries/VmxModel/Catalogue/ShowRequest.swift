/// A show that an operand or an input row identifies.
package enum ShowRequest: Sendable, Equatable {
  /// The id in the catalogue.
  case id(Int64)
  /// The slug in the library, the address of its page, or its title.
  case name(String)
  /// A failed row or a warning of an earlier pipeline stage, passed on unchanged.
  case passThrough(JSONObject)

  /// Parses an operand. A number is an id of the catalogue, and so is the number in the address of
  /// a page.
  package init(_ text: String) {
    if let id = Int64(text), id > 0 {
      self = .id(id)
    } else if let id = Self.id(inAddress: text) {
      self = .id(id)
    } else {
      self = .name(text)
    }
  }

  /// Decodes a row. A show or a credit is identified by its id, an episode by the id of its show,
  /// and a favourite by its slug.
  ///
  /// - Throws: `bad-line` if the row identifies no show.
  private init(_ row: JSONObject) throws(Failure) {
    let id = row["id"]?.string
    if row["outcome"]?.string == "failed" || row["row"]?.string == "warning" {
      self = .passThrough(row)
      return
    }
    switch row["row"]?.string {
    case "show"?, "credit"?:
      if let number = id.flatMap({ Int64($0) }), number > 0 {
        self = .id(number)
        return
      }
    case "person"?:
      throw Failure(
        .badLine, "the row of a person has no show",
        hint: "run 'vmx people ID --credits --json' for rows with shows")
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

  /// Decodes an operand or a row.
  ///
  /// - Throws: `bad-line` if the row identifies no show.
  package init(_ text: String?, _ row: JSONObject?) throws(Failure) {
    if let row {
      try self.init(row)
    } else {
      self.init(text ?? "")
    }
  }

  private static func id(inAddress text: String) -> Int64? {
    guard text.contains("tvmaze.com/"), let place = text.firstRange(of: "/shows/") else {
      return nil
    }
    return Int64(text[place.upperBound...].prefix { $0.isNumber })
  }
}

/// A person that an operand or an input row identifies.
package enum PersonRequest: Sendable, Equatable {
  /// The id in the catalogue.
  case id(Int64)
  /// Words of the name.
  case name(String)
  /// A failed row or a warning of an earlier pipeline stage, passed on unchanged.
  case passThrough(JSONObject)

  /// Decodes an operand or a row.
  ///
  /// - Throws: `bad-line` if the row identifies no person.
  package init(_ text: String?, _ row: JSONObject?) throws(Failure) {
    guard let row else {
      self = text.flatMap { Int64($0) }.map { .id($0) } ?? .name(text ?? "")
      return
    }
    if row["outcome"]?.string == "failed" || row["row"]?.string == "warning" {
      self = .passThrough(row)
    } else if row["row"]?.string == "person", let id = row["id"]?.string.flatMap({ Int64($0) }) {
      self = .id(id)
    } else {
      throw Failure(
        .badLine, "the row has no person",
        hint: "run 'vmx search --people TEXT --json' for rows of people")
    }
  }
}
