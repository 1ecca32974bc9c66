/// The keys of a record.
package protocol RecordField: RawRepresentable<String>, CaseIterable, Hashable, Sendable {}

/// A set of fields of a record, prepared for a lookup of an object's keys in one pass.
package final class FieldSet<Field: RecordField>: Sendable {
  /// The maximum number of keys of a set: the decoder has a bit for each.
  static var maxFields: Int { 64 }

  /// The fields in the order in which they are written.
  let fields: [Field]
  /// The keys; those that belong to others come first and are skipped.
  let names: [String]
  /// The first eight bytes of each key.
  private let prefixes: [UInt64]
  private let lengths: [Int]
  /// The number of keys that are skipped.
  let skipped: Int

  /// Creates a set of the given fields.
  ///
  /// - Parameter skipping: the keys of the object that belong to others.
  package init(_ fields: some Collection<Field>, skipping keys: [String] = []) {
    precondition(fields.count + keys.count <= Self.maxFields, "too many fields for one record")
    self.fields = Field.allCases.filter { fields.contains($0) }
    skipped = keys.count
    isComplete = self.fields.count == Field.allCases.count
    names = keys + self.fields.map(\.rawValue)
    prefixes = names.map { name in
      Array(name.utf8).withUnsafeBufferPointer { Self.firstBytes($0) }
    }
    lengths = names.map(\.utf8.count)
  }

  /// Whether the set has all fields of the record, so that any other key is unknown.
  let isComplete: Bool

  /// Returns the index of a key; nil if the set does not have it.
  ///
  /// - Parameter next: the index after that of the previous key, where the writer would put this
  ///   key.
  @inline(__always)
  func index(of key: UnsafeBufferPointer<UInt8>, _ next: inout Int) -> Int? {
    let front = Self.firstBytes(key)
    var index = next
    for _ in 0..<names.count {
      if index >= names.count { index = 0 }
      if prefixes[index] == front, lengths[index] == key.count,
        key.count <= 8 || key.elementsEqual(names[index].utf8)
      {
        next = index + 1
        return index
      }
      index += 1
    }
    return nil
  }

  @inline(__always)
  private static func firstBytes(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
    if bytes.count >= 8 {
      return UnsafeRawBufferPointer(bytes).loadUnaligned(as: UInt64.self)
    }
    var front: UInt64 = 0
    for byte in bytes.reversed() { front = front << 8 | UInt64(byte) }
    return front
  }
}
