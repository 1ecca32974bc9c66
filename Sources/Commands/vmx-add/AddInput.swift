import SystemPackage
import VmxCommand
import VmxLibrary
import VmxModel
import VmxNaming

/// The operands and rows of `vmx add`, with the options that describe them.
struct AddInput {
  private let details: DescriptionOptions
  private let sources: [String]
  /// Whether the options add only parts to an existing episode, without a video.
  private let isOfParts: Bool

  init(_ details: DescriptionOptions, _ sources: [String]) {
    self.details = details
    self.sources = sources.isEmpty ? details.partsOnlyTarget : sources
    isOfParts = sources.isEmpty && !self.sources.isEmpty
  }

  /// Returns the items that the operands or the rows describe.
  ///
  /// - Throws: `usage` if there are no operands and standard input cannot contain rows.
  func selection(in context: CommandContext) throws(Failure) -> InputSelection<AddItem> {
    try checkQuotes(in: context)
    let isPiped = sources == ["-"] && details.from == nil
    let reader = AddItemReader(
      details: details, isOfParts: isOfParts, isPiped: isPiped,
      isNumbered: EpisodeFileName.isNumbered(
        sources.lazy.map { String($0.split(separator: "/").last ?? "") }),
      indices: details.numberFrom == nil ? [:] : Self.indices(of: sources),
      environment: context.environment)
    let selection = InputSelection<AddItem>(
      sources, details.from == .ytDlp ? .values : [], in: context
    ) { row throws(Failure) in try reader.item(row) }.reading(isPiped ? ListComments.rows : nil)
    guard selection.source == .filters else { return selection }
    throw Failure(.usage, "nothing to add", hint: "give URLs or files, or pipe in lines of JSON")
  }

  /// Checks that no operand is a word of a show's title that was typed without quotes.
  ///
  /// - Throws: `usage`, with the quoted title as hint.
  private func checkQuotes(in context: CommandContext) throws(Failure) {
    guard let show = details.show else { return }
    let words = sources.filter { word in
      !word.contains { "/.:-".contains($0) }
        && !context.exists(context.environment.absolute(argument: word))
    }
    guard let first = words.first else { return }
    let title = ([show] + words).joined(separator: " ")
    throw Failure(
      .usage, "'\(first)' is neither a file nor a URL",
      hint: "quote the title: --show \(ShellWord.quoted(title))")
  }

  /// Returns the index of each operand among the different ones.
  private static func indices(of operands: [String]) -> [String: Int64] {
    var indices: [String: Int64] = [:]
    for operand in operands where indices[operand] == nil {
      indices[operand] = Int64(indices.count)
    }
    return indices
  }
}

/// Reads the operands and the rows of `vmx add`.
private struct AddItemReader: Sendable {
  let details: DescriptionOptions
  let isOfParts: Bool
  /// Whether standard input has lines of URLs or of JSON.
  let isPiped: Bool
  /// Whether the names of the files number the episodes of a season.
  let isNumbered: Bool
  /// The index of each operand, if the operands are to be numbered.
  let indices: [String: Int64]
  let environment: Environment
  let comments = ListComments()

  /// Returns the item that an operand or a row describes.
  func item(_ row: InputRow) throws(Failure) -> AddItem {
    if isOfParts {
      var description = EpisodeDescription()
      try details.apply(to: &description)
      return .description(description)
    }
    if let object = row.object { return try item(object) }
    let text = row.text ?? ""
    let isRow = row.position != nil
    if isRow, isPiped, comments.read(text) { return .requests([]) }
    guard !isRow || isPiped else {
      throw Failure(
        .badLine, "the line is not a JSON object",
        hint: details.from == nil ? "give '-' to read lines of URLs" : nil)
    }
    return try isRow || WebURL.isMeant(by: text)
      ? .description(description(ofURL: text, isRow: isRow)) : file(text)
  }

  private func item(_ object: JSONObject) throws(Failure) -> AddItem {
    let describes = details.describe
    guard details.from == .ytDlp else {
      var description = try EpisodeDescription(object)
      description.fills = details.merge
      if details.merge { description.origin = .feed }
      if describes { try details.apply(to: &description) }
      return .description(description)
    }
    var requests = YtDlpInfo(object).requests
    for index in requests.indices where describes {
      requests[index].description = requests[index].description.flatMap { description in
        Result { () throws(Failure) in
          var description = description
          try details.apply(to: &description)
          return description
        }
      }
    }
    return .requests(requests)
  }

  private func description(ofURL text: String, isRow: Bool) throws(Failure) -> EpisodeDescription {
    let url = try WebURL(text)
    try SourceAdvice.checkIsFile(url)
    var description = try details.description(of: url)
    if isRow { comments.describe(&description) }
    if let index = indices[text] { details.number(&description, at: index) }
    return description
  }

  private func file(_ text: String) throws(Failure) -> AddItem {
    guard details.to == nil else {
      throw Failure(
        .usage, "'--to' requires URLs, not '\(text)'", hint: "give a file with '--id'")
    }
    let file = environment.absolute(argument: text)
    var description = try details.description(
      ofFile: file.lexicallyNormalized(), isNumbered: isNumbered)
    if let index = indices[text] { details.number(&description, at: index) }
    return .file(file, description)
  }
}

/// An item to add.
enum AddItem {
  /// The episodes in a row of another program.
  case requests([YtDlpInfo.Request])
  /// An episode described by its URLs.
  indirect case description(EpisodeDescription)
  /// A local file.
  indirect case file(FilePath, EpisodeDescription)
}

extension InputSelection<AddItem>.Entry {
  /// The descriptions for the importer, in order.
  var descriptions: [EpisodeDescription] {
    switch self {
    case .item(.description(let description), _): [description]
    case .item(.requests(let requests), _):
      requests.compactMap {
        if case .success(let description) = $0.description { description } else { nil }
      }
    default: []
    }
  }
}
