import VmxModel
import VmxPresentation

/// A key of JSON output, or a shape of rows, as a row.
struct KeyRow: ListingRow {
  private let shape: JSONShape
  private let key: JSONKey?

  /// Creates the row of a key, or of the shape itself if the key is nil.
  init(_ shape: JSONShape, _ key: JSONKey?) {
    self.shape = shape
    self.key = key
  }

  var kind: RowKind? { .key }
  var id: String { key.map { "\(shape.name).\($0.path)" } ?? shape.name }

  func value(_ field: KeyField) -> RowValue {
    switch field {
    case .shape: .text(shape.name)
    case .key: .text(key?.path).styled(.strong)
    case .type: .word(key?.type.name)
    case .unit: .text(nonEmpty: key?.type.unit)
    case .meaning: .text(key?.meaning ?? shape.meaning)
    case .tools: .list(shape.tools)
    case .contains: .list(shape.bases)
    }
  }
}

extension JSONShape {
  /// Returns the rows of the manual about the shapes: for each shape the shape itself, then its
  /// keys.
  ///
  /// - Parameter tool: the command whose shapes are returned, including their bases; nil for all.
  static func rows(of tool: String? = nil) -> [KeyRow] {
    var names = Set(all.map(\.name))
    if let tool {
      names = Set(all.filter { $0.tools == ["any"] || $0.tools.contains(tool) }.map(\.name))
      // Each base comes after the shapes that contain it, so one pass is sufficient.
      for shape in all where names.contains(shape.name) { names.formUnion(shape.bases) }
    }
    return all.filter { names.contains($0.name) }.flatMap { shape in
      [KeyRow(shape, nil)] + shape.keys.map { KeyRow(shape, $0) }
    }
  }
}
