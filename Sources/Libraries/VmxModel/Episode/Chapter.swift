/// A chapter of an episode, as published.
package struct Chapter: Sendable, Equatable {
  /// The maximum number of chapters that an episode keeps.
  package static let maxCount = 200

  /// Its start within the video, in milliseconds.
  package var start: Int64
  /// The title as one line of plain text.
  package var title: String
  /// Unknown fields of other versions, kept unchanged.
  package var extra = JSONObject()

  /// Creates a chapter.
  package init(start: Int64, title: String) {
    self.start = start
    self.title = title
  }

  /// The chapter as text, `1:02 Title`.
  package var text: String { "\(PlayingTime.text(of: start)) \(title)" }
}

extension Chapter: FieldRecord {
  /// The fields in the store, in the order in which they are written.
  package enum Field: String, RecordField {
    case start = "start_ms"
    case title
  }

  package static let fields = FieldSet<Field>(Field.allCases)
  package static var blank: Chapter { Chapter(start: 0, title: "") }

  package mutating func code<C: FieldCoder>(
    _ field: Field, _ coder: inout C
  ) throws(C.Problem) {
    switch field {
    case .start: try coder.field(&start, absent: 0)
    case .title: try coder.field(&title, absent: "")
    }
  }
}
