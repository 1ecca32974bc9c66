import VmxModel

/// An element of an NFO document with its whole content. Comments, prefixes and white space around
/// texts are not kept.
package struct NFOElement: Sendable, Equatable {
  /// The name without its prefix.
  package let name: String
  /// The values of the attributes by name.
  package var attributes: [String: String]
  /// The text outside of the elements in it.
  package var text = ""
  /// The elements in it.
  package var children: [NFOElement] = []

  init(_ element: MarkupElement) {
    name = element.name
    attributes = element.attributes
  }

  /// The name by which elements of equal meaning are found: that of the element in lower case, for
  /// `uniqueid` with its type.
  var key: String {
    let name = name.lowercased()
    guard name == "uniqueid", let type = attributes["type"] else { return name }
    return "\(name) \(type.lowercased())"
  }

  /// The approximate size in bytes.
  var size: Int {
    var size = 2 * name.utf8.count + text.utf8.count + 8
    for (name, value) in attributes { size += name.utf8.count + value.utf8.count + 4 }
    return children.reduce(size) { $0 + $1.size }
  }

  /// Whether it has no text, no attribute and no element that is not empty.
  var isEmpty: Bool { text.isEmpty && attributes.isEmpty && children.allSatisfy(\.isEmpty) }

  /// Whether it is a date that another program writes for want of one.
  var isPlaceholderDate: Bool {
    let isDate = ["aired", "premiered", "releasedate", "lastplayed", "dateadded"].contains(key)
    return isDate && CalendarDay(String(text.prefix(10)))?.isPlaceholder ?? false
  }

  /// Writes it. Attributes are in descending order of their names, as in the documents of vmx and
  /// of Kodi: `type`, `default`; `name`, `max`, `default`.
  func write(to writer: borrowing MarkupWriter) throws(Failure) {
    let attributes = attributes.sorted { $0.key > $1.key }.map { (name: $0.key, value: $0.value) }
    guard !children.isEmpty else {
      guard !text.isEmpty else {
        try writer.begin(name, attributes)
        return try writer.end()
      }
      return try writer.element(name, text, attributes: attributes)
    }
    try writer.begin(name, attributes)
    if !text.isEmpty { try writer.text(text) }
    for child in children { try child.write(to: writer) }
    try writer.end()
  }
}

/// Collects the elements below the root of a document.
struct NFOElementBuilder {
  /// The elements below the root.
  private(set) var elements: [NFOElement] = []
  private var open: [NFOElement] = []
  private var hasRoot = false

  mutating func handle(_ event: MarkupEvent) {
    switch event {
    case .begin(let element):
      if hasRoot { open.append(NFOElement(element)) }
      hasRoot = true
    case .text(let text):
      if !open.isEmpty { open[open.count - 1].text += text }
    case .end:
      guard var element = open.popLast() else { return }
      element.text = element.text.trimmed
      if open.isEmpty {
        elements.append(element)
      } else {
        open[open.count - 1].children.append(element)
      }
    }
  }
}
