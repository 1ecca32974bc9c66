/// The content of `bag-info.txt` (RFC 8493, section 2.2.2): labels with values, in order.
package struct BagInfo: Sendable, Equatable {
  /// A label with its value.
  package struct Field: Sendable, Equatable {
    /// The label, which may occur more than once.
    package let label: String
    /// The value, with folded lines joined.
    package let value: String

    /// Creates a field.
    package init(_ label: String, _ value: String) {
      self.label = label
      self.value = value
    }
  }

  /// The name of the file.
  package static let name = "bag-info.txt"
  /// The name of the file before version 0.95.
  static let oldName = "package-info.txt"

  /// The fields in the order of the file.
  package var fields: [Field]
  /// The numbers of the lines that are not fields, counted from 1.
  private(set) var malformed: [Int] = []

  /// Creates the content from fields.
  package init(_ fields: [Field] = []) {
    self.fields = fields
  }

  /// Parses the file. A line that begins with a space or tab continues the previous one.
  package init(text: String) {
    fields = []
    for (index, line) in TagLines(text).enumerated() where !line.trimmingBlanks.isEmpty {
      let isFolded = line.first == " " || line.first == "\t"
      if isFolded, let last = fields.popLast() {
        fields.append(Field(last.label, "\(last.value) \(line.trimmingBlanks)"))
      } else if let colon = line.firstIndex(of: ":"), !isFolded, colon > line.startIndex {
        let value = line[line.index(after: colon)...].trimmingBlanks
        fields.append(Field(String(line[..<colon].trimmingBlanks), String(value)))
      } else {
        malformed.append(index + 1)
      }
    }
  }

  /// Returns the first value with a label, which is compared without case.
  package subscript(label: String) -> String? {
    fields.first { $0.label.lowercased() == label.lowercased() }?.value
  }

  /// The declared number of bytes and files of the payload; nil if it is absent or malformed.
  package var payload: (bytes: Int64, files: Int)? {
    let numbers = self["Payload-Oxum"]?.split(separator: ".", omittingEmptySubsequences: false)
    guard let numbers, numbers.count == 2, let bytes = Int64(numbers[0]),
      let files = Int(numbers[1])
    else { return nil }
    return (bytes, files)
  }

  /// The file as vmx writes it: a line for each field, with line breaks in a value replaced by
  /// spaces.
  package var text: String {
    fields.map { field in
      "\(field.label): \(field.value.map { $0.isNewline ? " " : String($0) }.joined())\n"
    }.joined()
  }
}
