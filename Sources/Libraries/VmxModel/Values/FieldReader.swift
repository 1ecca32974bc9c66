/// A decoder of typed fields of a record; a missing or null field is nil, a malformed one an error.
package struct FieldReader {
  private let object: JSONObject
  private let subject: String
  private let code: ErrorCode

  /// Creates a decoder of an object that belongs to the named record or line.
  ///
  /// - Parameter code: the error code of a malformed field: `store-damaged` in the store,
  ///   `bad-line` in the input.
  package init(_ object: JSONObject, of subject: String, code: ErrorCode = .storeDamaged) {
    self.object = object
    self.subject = subject
    self.code = code
  }

  /// Returns a text field.
  package func string(_ key: String) throws(Failure) -> String? {
    guard let value = present(key) else { return nil }
    guard let text = value.string else { throw wrong(key, "a string") }
    return text
  }

  /// Returns a relative path that stays below its root.
  package func path(_ key: String) throws(Failure) -> String? {
    guard var text = try string(key) else { return nil }
    guard text.withUTF8({ PathBytes.leadsBelow($0) }) else {
      throw wrong(key, "a path below a folder")
    }
    return text
  }

  /// Returns an integer.
  package func integer(_ key: String) throws(Failure) -> Int64? {
    guard let value = present(key) else { return nil }
    guard let number = value.integer else { throw wrong(key, "a whole number") }
    return number
  }

  /// Returns a text field; text of only white space counts as missing.
  package func text(_ key: String) throws(Failure) -> String? {
    let text = try string(key)
    return text?.allSatisfy(\.isWhitespace) == true ? nil : text
  }

  /// Returns a non-negative integer.
  package func natural(_ key: String) throws(Failure) -> Int64? {
    guard let number = try integer(key) else { return nil }
    guard number >= 0 else { throw wrong(key, "a whole number from 0 on") }
    return number
  }

  /// Returns a language tag in canonical spelling.
  package func language(_ key: String) throws(Failure) -> String? {
    guard let text = try text(key) else { return nil }
    guard let tag = LanguageTag.normalised(text) else { throw wrong(key, "a language tag") }
    return tag
  }

  /// A language tag as it is spelled.
  package func languageTag(_ key: String) throws(Failure) -> String? {
    guard let tag = try string(key) else { return nil }
    guard LanguageTag.isTag(tag.utf8) else { throw wrong(key, "a language tag") }
    return tag
  }

  /// A number of bytes.
  package func byteCount(_ key: String) throws(Failure) -> ByteCount? {
    guard let number = try integer(key) else { return nil }
    guard let count = ByteCount(ofFile: number) else { throw wrong(key, "a number of bytes") }
    return count
  }

  /// Returns a duration in milliseconds; never 0.
  package func duration(_ key: String) throws(Failure) -> Int64? {
    guard let number = try integer(key) else { return nil }
    guard number > 0 else { throw wrong(key, "a number of milliseconds from 1 on") }
    return number
  }

  /// Returns a Boolean.
  package func bool(_ key: String) throws(Failure) -> Bool? {
    guard let value = present(key) else { return nil }
    guard let truth = value.bool else { throw wrong(key, "true or false") }
    return truth
  }

  /// Returns an RFC 3339 time.
  package func timestamp(_ key: String) throws(Failure) -> Timestamp? {
    guard let text = try string(key) else { return nil }
    guard let moment = Timestamp(text) else { throw wrong(key, "a time as in RFC 3339") }
    return moment
  }

  /// Returns a day in the form `YYYY-MM-DD`.
  package func day(_ key: String) throws(Failure) -> CalendarDay? {
    guard let text = try string(key) else { return nil }
    guard let day = CalendarDay(text) else { throw wrong(key, "a day as YYYY-MM-DD") }
    return day
  }

  /// Returns a SHA-256 digest from hexadecimal text.
  package func sha256(_ key: String) throws(Failure) -> Digest? {
    guard let text = try string(key) else { return nil }
    guard let digest = Digest(.sha256, hex: text) else {
      throw wrong(key, "64 hexadecimal digits")
    }
    return digest
  }

  /// Returns one of the named values of a type.
  package func value<Value: RawRepresentable & CaseIterable>(
    _ key: String
  ) throws(Failure) -> Value? where Value.RawValue == String {
    guard let text = try string(key) else { return nil }
    guard let value = Value(rawValue: text) else {
      let names = Value.allCases.count <= 20 ? Value.allCases.map(\.rawValue) : []
      throw wrong(key, names.isEmpty ? "a known value" : names.joined(separator: ", "))
    }
    return value
  }

  /// Returns an array of strings; empty if the field is missing.
  package func strings(_ key: String) throws(Failure) -> [String] {
    guard let value = present(key) else { return [] }
    guard let texts = value.array?.map(\.string), !texts.contains(nil) else {
      throw wrong(key, "an array of strings")
    }
    return texts.compactMap { $0 }
  }

  /// Returns an array of objects; empty if the field is missing.
  package func objects(_ key: String) throws(Failure) -> [JSONObject] {
    guard let value = present(key) else { return [] }
    guard let objects = value.array?.map(\.object), !objects.contains(nil) else {
      throw wrong(key, "an array of objects")
    }
    return objects.compactMap { $0 }
  }

  private func present(_ key: String) -> JSONValue? {
    let value = object[key]
    return value == .null ? nil : value
  }

  private func wrong(_ key: String, _ expected: String) -> Failure {
    Failure(code, "field '\(key)' of '\(subject)' is not \(expected)")
  }
}
