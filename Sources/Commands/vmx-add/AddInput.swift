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
    let isPiped = sources == ["-"] && details.from == nil
    let (describes, fills) = (details.describe, details.merge)
    let isNumbered = EpisodeFileName.isNumbered(
      sources.lazy.map { String($0.split(separator: "/").last ?? "") })
    let places = details.numberFrom == nil ? [:] : Self.places(of: sources)
    let selection = InputSelection<AddItem>(
      sources, details.from == .ytDlp ? .values : [], in: context,
      document: isPiped ? ListComments.rows : nil
    ) {
      [details, isOfParts, environment = context.environment, comments = ListComments()]
      row throws(Failure) in
      if isOfParts {
        var description = EpisodeDescription()
        try details.apply(to: &description)
        return .description(description)
      }
      if let object = row.object, details.from == .ytDlp {
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
      if let object = row.object {
        var description = try EpisodeDescription(object)
        description.fills = fills
        if fills { description.origin = .feed }
        if describes { try details.apply(to: &description) }
        return .description(description)
      }
      let text = row.text ?? ""
      if row.position != nil, isPiped, comments.read(text) { return .requests([]) }
      guard row.position == nil || isPiped else {
        throw Failure(
          .badLine, "the line is not a JSON object",
          hint: details.from == nil ? "give '-' to read lines of URLs" : nil)
      }
      if row.position != nil || WebURL.isMeant(by: text) {
        let url = try WebURL(text)
        try SourceAdvice.checkIsFile(url)
        var description = try details.description(of: url)
        if row.position != nil { comments.describe(&description) }
        if let place = places[text] { details.number(&description, at: place) }
        return .description(description)
      }
      guard details.to == nil else {
        throw Failure(
          .usage, "'--to' requires URLs, not '\(text)'", hint: "give a file with '--id'")
      }
      let file = environment.absolute(argument: text)
      var description = try details.description(
        ofFile: file.lexicallyNormalized(), isNumbered: isNumbered)
      if let place = places[text] { details.number(&description, at: place) }
      return .file(file, description)
    }
    guard selection.source == .filters else { return selection }
    throw Failure(.usage, "nothing to add", hint: "give URLs or files, or pipe in lines of JSON")
  }

  /// Returns the position of each operand among the different ones.
  private static func places(of operands: [String]) -> [String: Int64] {
    var places: [String: Int64] = [:]
    for operand in operands where places[operand] == nil { places[operand] = Int64(places.count) }
    return places
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
