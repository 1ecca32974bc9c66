package import VmxModel

/// A document whose root contains one text element per field. Some programs write metadata as such
/// a flat list of names and values.
///
///     let metadata = try MarkupFields(bytes)
///     let title = metadata?.values["title"]
package struct MarkupFields: Sendable, Equatable {
  /// The name of the root element.
  package let root: String
  /// The texts by element name. The first element of a name wins; nested elements are ignored.
  package let values: [String: String]
  /// Whether the document is well-formed. Otherwise fields may be missing.
  package let isWellFormed: Bool

  /// Parses a document; nil if it contains no element.
  ///
  /// - Throws: `resources-short` if memory is exhausted.
  package init?(_ bytes: [UInt8]) throws(Failure) {
    var position = 0
    var open: [String] = []
    var root: String?
    var text = ""
    var values: [String: String] = [:]
    let form = try MarkupParser.parse(MarkupText.prepared(bytes), from: &position) { event in
      switch event {
      case .begin(let element):
        root = root ?? element.name
        open.append(element.name)
        text = ""
      case .text(let piece):
        if open.count == 2 { text += piece }
      case .end:
        guard let name = open.popLast() else { return }
        if open.count == 1, values[name] == nil { values[name] = text }
        text = ""
      }
    }
    guard let root else { return nil }
    self.root = root
    self.values = values
    isWellFormed = form == .wellFormed
  }
}
