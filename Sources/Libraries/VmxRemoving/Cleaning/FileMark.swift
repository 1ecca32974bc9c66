import VmxModel

/// The size, modification time and inode number that identify an unchanged file.
package struct FileMark: Sendable, Equatable {
  /// The size in bytes.
  package let size: Int64
  /// The time of the last change of its bytes, in nanoseconds since 1970.
  package let modified: Int64
  /// The inode number on its device.
  package let inode: UInt64

  /// Creates a mark from the three values.
  package init(size: Int64, modified: Int64, inode: UInt64) {
    self.size = size
    self.modified = modified
    self.inode = inode
  }
}

// Both values are text. Filters that hold numbers as doubles, as jq does, would change the last
// digits of a time in nanoseconds and of a large inode number.

extension FileMark {
  /// Decodes the fields of a row; nil if a field is missing or malformed.
  init?(row object: JSONObject) {
    guard let size = object["size"]?.integer, let text = object["modified"]?.string,
      let modified = Self.nanoseconds(of: text),
      let inode = object["inode"]?.string.flatMap({ UInt64($0) })
    else { return nil }
    self.init(size: size, modified: modified, inode: inode)
  }

  /// Appends the fields to a row.
  func add(to object: inout JSONObject) {
    object.append("size", .integer(size))
    object.append("modified", modifiedText)
    object.append("inode", "\(inode)")
  }

  /// The modification time in RFC 3339 form with nine fraction digits.
  private var modifiedText: String {
    let moment = Timestamp(nanoseconds: modified)
    // Wraps where the rounded millisecond is below the least time in nanoseconds.
    let rest = modified &- moment.milliseconds &* Timestamp.nanosecondsPerMillisecond
    let digits = String(Timestamp.nanosecondsPerMillisecond + rest).dropFirst()
    return "\(moment.text.dropLast())\(digits)Z"
  }

  private static func nanoseconds(of text: String) -> Int64? {
    guard let moment = Timestamp(text), text.utf8.count == 30, text.hasSuffix("Z"),
      let rest = Int64(text.dropLast().suffix(6))
    else { return nil }
    let (product, overflow) = moment.milliseconds.multipliedReportingOverflow(
      by: Timestamp.nanosecondsPerMillisecond)
    return overflow ? nil : product &+ rest
  }
}
