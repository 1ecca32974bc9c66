/// A decoder of typed fields of an object; a missing or null field is nil, a malformed one an
/// error.
package struct FieldReader {
  private let object: JSONObject
  private let context: RecordContext

  /// Creates a decoder of an object that belongs to the named record or line.
  ///
  /// - Parameter code: the error code of a malformed field: `store-damaged` in the store,
  ///   `bad-line` in the input.
  package init(_ object: JSONObject, of subject: String, code: ErrorCode = .storeDamaged) {
    self.init(object, in: RecordContext(subject: subject, code: code))
  }

  init(_ object: JSONObject, in context: RecordContext) {
    self.object = object
    self.context = context
  }

  /// Returns a field of the inferred type.
  package func value<Value: FieldValue>(_ key: String) throws(Failure) -> Value? {
    try value(key, nil)
  }

  /// Returns a field of the inferred type that satisfies a rule.
  func value<Value: FieldValue>(
    _ key: String, _ rule: FieldRule<Value>?
  ) throws(Failure) -> Value? {
    guard let value = object[key], value != .null else { return nil }
    guard let decoded = try Value.decode(value, in: context), rule?.isValid(decoded) ?? true else {
      throw context.invalid(key, rule?.expected ?? Value.expected)
    }
    return decoded
  }

  /// Returns a text field.
  package func string(_ key: String) throws(Failure) -> String? { try value(key) }

  /// Returns an integer.
  package func integer(_ key: String) throws(Failure) -> Int64? { try value(key) }

  /// Returns a non-negative integer.
  package func natural(_ key: String) throws(Failure) -> Int64? { try value(key, .natural) }

  /// Returns a duration in milliseconds; never 0.
  package func duration(_ key: String) throws(Failure) -> Int64? { try value(key, .duration) }

  /// Returns a Boolean.
  package func bool(_ key: String) throws(Failure) -> Bool? { try value(key) }

  /// Returns a number of bytes.
  package func byteCount(_ key: String) throws(Failure) -> ByteCount? { try value(key) }

  /// Returns an RFC 3339 time.
  package func timestamp(_ key: String) throws(Failure) -> Timestamp? { try value(key) }

  /// Returns a SHA-256 digest from hexadecimal text.
  package func sha256(_ key: String) throws(Failure) -> Digest? { try value(key) }

  /// Returns an array of strings; empty if the field is missing.
  package func strings(_ key: String) throws(Failure) -> [String] { try value(key) ?? [] }

  /// Returns an array of objects; empty if the field is missing.
  package func objects(_ key: String) throws(Failure) -> [JSONObject] { try value(key) ?? [] }

  /// Returns a text field; text of only white space counts as missing.
  package func text(_ key: String) throws(Failure) -> String? {
    let text = try string(key)
    return text?.allSatisfy(\.isWhitespace) == true ? nil : text
  }

  /// Returns a language tag in canonical spelling.
  package func language(_ key: String) throws(Failure) -> String? {
    guard let text = try text(key) else { return nil }
    guard let tag = LanguageTag.normalised(text) else {
      throw context.invalid(key, FieldRule.languageTag.expected)
    }
    return tag
  }
}
