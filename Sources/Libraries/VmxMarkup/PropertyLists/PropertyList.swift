package import VmxModel

// Property lists come from other programs and may be hostile. Parsing is bounded: nesting by
// `maxDepth`, values by `maxValues` with shared values counted each time, and memory by the file
// size.

/// A value of an Apple property list: XML, binary (`bplist00`), or a keyed archive of either.
///
///     let list = try PropertyList(bytes)
///     for record in list["downloads"]?.array ?? [] { … }
package enum PropertyList: Sendable, Equatable {
  /// Named values in file order. The last value of a repeated name wins.
  case dictionary([Field])
  case array([PropertyList])
  case string(String)
  /// A 64-bit integer; larger ones become `real`.
  case integer(Int64)
  case real(Double)
  case bool(Bool)
  case date(Timestamp)
  case data([UInt8])
  /// A reference to another value of a keyed archive.
  case uid(UInt64)

  /// A named value of a dictionary.
  package struct Field: Sendable, Equatable {
    /// The name.
    package let key: String
    /// The value.
    package let value: PropertyList

    /// Creates a named value.
    package init(_ key: String, _ value: PropertyList) {
      self.key = key
      self.value = value
    }
  }

  /// The maximum size in bytes, 64 MiB.
  package static let maxBytes = 64 << 20
  /// The maximum nesting of dictionaries and arrays.
  static let maxDepth = 64
  /// The maximum number of values. A shared value counts for each reference.
  static let maxValues = 1 << 22

  /// Returns whether the first bytes of a file are those of a property list.
  package static func isMarked(_ prefix: some Collection<UInt8>) -> Bool {
    if prefix.starts(with: BinaryPropertyList.mark) { return true }
    // Each of these characters has a zero byte in UTF-16.
    let text = String(decoding: prefix.prefix(2048).filter { $0 != 0 }, as: UTF8.self)
    return text.contains("<plist")
  }

  /// Parses a property list of any form, and resolves a keyed archive.
  ///
  /// - Throws: `record-unreadable` for other data and for exceeded limits; `resources-short`.
  package init(_ bytes: [UInt8]) throws(Failure) {
    guard bytes.count <= Self.maxBytes else { throw .listTooLarge }
    let list: PropertyList
    if bytes.starts(with: BinaryPropertyList.mark) {
      var reader = try BinaryPropertyList(ListWindow(bytes))
      list = try reader.topObject()
    } else {
      list = try MarkupPropertyList.read(bytes)
    }
    self = list["$archiver"] == nil ? list : try KeyedArchive.resolve(list)
  }

  /// The value of a name in a dictionary; nil for an unknown name or another kind of value.
  package subscript(key: String) -> PropertyList? {
    guard case .dictionary(let fields) = self else { return nil }
    return fields.last { $0.key == key }?.value
  }

  /// The named values; nil for anything but a dictionary.
  package var fields: [Field]? {
    guard case .dictionary(let fields) = self else { return nil }
    return fields
  }

  /// The elements; nil for anything but an array.
  package var array: [PropertyList]? {
    guard case .array(let values) = self else { return nil }
    return values
  }

  /// The text; nil for anything but a string.
  package var string: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The integer, also for a real number without a fraction; nil for other values.
  package var integer: Int64? {
    switch self {
    case .integer(let number): number
    // Above 2^53, a real number no longer identifies one integer.
    case .real(let number) where abs(number) <= 9_007_199_254_740_992: Int64(exactly: number)
    default: nil
    }
  }

  /// The number; nil for other values and for numbers that are not finite.
  package var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .real(let number) where number.isFinite: number
    default: nil
    }
  }

  /// The bytes; nil for anything but data.
  package var data: [UInt8]? {
    guard case .data(let bytes) = self else { return nil }
    return bytes
  }

  /// The time; nil for anything but a date.
  package var date: Timestamp? {
    guard case .date(let time) = self else { return nil }
    return time
  }

  /// Returns the date for seconds since 2001-01-01T00:00:00Z, Apple's reference date. Returns the
  /// number itself outside of the years 0 to 9999.
  package static func date(sinceReference seconds: Double) -> PropertyList {
    let milliseconds = ((seconds + 978_307_200) * 1000).rounded()
    guard (-62_167_219_200_000...253_402_300_799_999).contains(milliseconds) else {
      return .real(seconds)
    }
    return .date(Timestamp(milliseconds: Int64(milliseconds)))
  }
}

extension Failure {
  static var listTooLarge: Failure { unreadableList("it is larger than 64 MiB") }
  static var tooManyValues: Failure { unreadableList("it has too many values") }
  static var nestedTooDeep: Failure { unreadableList("it is nested too deep") }
  static var circularReference: Failure {
    unreadableList("an object refers to itself or to none")
  }

  static func unreadableList(_ reason: String) -> Failure {
    Failure(.recordUnreadable, "the property list cannot be read: \(reason)")
  }
}

/// A value with its size and nesting height, used to bound lists with shared values.
struct MeasuredList {
  let value: PropertyList
  /// The number of values, with shared values counted each time.
  let count: Int
  /// The nesting levels of dictionaries and arrays.
  let height: Int

  /// Creates a dictionary or array.
  ///
  /// - Throws: `record-unreadable` if it exceeds a limit.
  init(_ value: PropertyList, of members: [MeasuredList]) throws(Failure) {
    let count = members.reduce(1) { $0.addingClamped($1.count) }
    guard count <= PropertyList.maxValues else { throw .tooManyValues }
    self.value = value
    self.count = count
    height = 1 + (members.lazy.map(\.height).max() ?? 0)
    guard height <= PropertyList.maxDepth else { throw .nestedTooDeep }
  }

  /// Creates a value without members.
  init(_ value: PropertyList) {
    self.value = value
    (count, height) = (1, 0)
  }
}
