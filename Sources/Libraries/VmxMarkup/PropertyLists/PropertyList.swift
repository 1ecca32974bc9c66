package import VmxModel

// Property lists come from other programs and may be hostile. Each form is read with bounds: nested
// at most `deepest`, at most `mostValues` values where shared ones count each time, and memory in
// proportion to the file.

/// A value of Apple's property lists: XML, binary (`bplist00`), or a keyed archive of either.
///
///     let list = try PropertyList(bytes)
///     for record in list["downloads"]?.array ?? [] { … }
package enum PropertyList: Sendable, Equatable {
  /// Named values in the order of the file; a repeated name counts by its last value.
  case dictionary([Field])
  case array([PropertyList])
  case string(String)
  /// An integer of 64 bits; larger ones become `real`.
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

  /// The most bytes that are read, 64 MiB.
  package static let largest = 64 << 20
  /// The most levels of dictionaries and arrays.
  static let deepest = 64
  /// The most values, where a value that several others refer to counts for each of them.
  static let mostValues = 1 << 22

  /// Whether the first bytes of a file are those of a property list.
  package static func isMarked(_ prefix: some Collection<UInt8>) -> Bool {
    if prefix.starts(with: BinaryPropertyList.mark) { return true }
    // UTF-16 has a zero in each of these characters.
    let text = String(decoding: prefix.prefix(2048).filter { $0 != 0 }, as: UTF8.self)
    return text.contains("<plist")
  }

  /// Reads a property list of any form, and resolves a keyed archive.
  ///
  /// - Throws: `record-unreadable` for anything that is none or exceeds a bound, `resources-short`.
  package init(_ bytes: [UInt8]) throws(Failure) {
    guard bytes.count <= Self.largest else { throw .unreadableList("it is larger than 64 MiB") }
    let list: PropertyList
    if bytes.starts(with: BinaryPropertyList.mark) {
      list = try BinaryPropertyList.read(bytes)
    } else {
      list = try MarkupPropertyList.read(bytes)
    }
    self = list["$archiver"] == nil ? list : try KeyedArchive.resolve(list)
  }

  /// The value of a name in a dictionary; nil for another name, and of anything else.
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

  /// The integer, also of a real number without a fraction; nil for anything else.
  package var integer: Int64? {
    switch self {
    case .integer(let number): number
    // Beyond 2^53 a real number no longer tells which integer it was.
    case .real(let number) where abs(number) <= 9_007_199_254_740_992: Int64(exactly: number)
    default: nil
    }
  }

  /// The number; nil for anything but a finite one.
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

  /// Returns the date of seconds since 2001-01-01T00:00:00Z, Apple's reference date; the number
  /// itself if it is outside of the years 0 to 9999.
  package static func date(sinceReference seconds: Double) -> PropertyList {
    let milliseconds = ((seconds + 978_307_200) * 1000).rounded()
    guard (-62_167_219_200_000...253_402_300_799_999).contains(milliseconds) else {
      return .real(seconds)
    }
    return .date(Timestamp(milliseconds: Int64(milliseconds)))
  }
}

extension Failure {
  static func unreadableList(_ reason: String) -> Failure {
    Failure(.recordUnreadable, "the property list cannot be read: \(reason)")
  }
}

/// A value with its size and height, by which lists that share values stay bounded.
struct MeasuredList {
  let value: PropertyList
  /// The number of values, where shared ones count each time.
  let count: Int
  /// The levels of dictionaries and arrays.
  let height: Int

  /// Creates a dictionary or array.
  ///
  /// - Throws: `record-unreadable` beyond a bound.
  init(_ value: PropertyList, of members: [MeasuredList]) throws(Failure) {
    let count = members.reduce(1) { $0.addingClamped($1.count) }
    guard count <= PropertyList.mostValues else { throw .unreadableList("it has too many values") }
    self.value = value
    self.count = count
    height = 1 + (members.lazy.map(\.height).max() ?? 0)
    guard height <= PropertyList.deepest else { throw .unreadableList("it is nested too deep") }
  }

  /// Creates a value without members.
  init(_ value: PropertyList) {
    self.value = value
    (count, height) = (1, 0)
  }
}
