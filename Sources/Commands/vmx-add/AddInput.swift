import SystemPackage
import VmxCommand
import VmxModel
import VmxPresentation

/// One thing to add.
enum AddRequest {
  /// An episode that is described by its URLs.
  indirect case described(EpisodeDescription, received: JSONObject)
  /// A local file.
  case file(FilePath, EpisodeDescription)
  /// An operand that is neither.
  case bad(Failure, operand: String)
  /// A line that is neither.
  case badLine(Failure, InputPlace)
  /// A row that failed at an earlier stage.
  case passing(JSONObject)

  /// What messages call it.
  var name: String {
    switch self {
    case .described(let description, _): description.proposedID.description
    case .file(let file, _): file.string
    case .bad(_, let operand): operand
    case .badLine(_, let place): place.description
    case .passing(let object): object["id"]?.string ?? ""
    }
  }
}

/// What `vmx add` was given: operands, or rows of standard input, none read before it is asked for.
struct AddInput {
  /// Rows taken together at most.
  private static let largestBatch = 1000

  private let details: DescriptionOptions
  private let detailsDescribe: Bool
  private let environment: Environment
  private var operands: ArraySlice<String>
  private var rows: RecordInput?
  private let takesLinesOfURLs: Bool

  /// - Throws: `usage` where nothing was typed and standard input cannot hold rows.
  init(
    _ operands: [String], _ details: DescriptionOptions, in context: CommandContext
  ) throws(Failure) {
    self.details = details
    detailsDescribe = details.describe
    environment = context.environment
    takesLinesOfURLs = operands == ["-"]
    self.operands = takesLinesOfURLs ? [] : operands[...]
    guard operands.isEmpty || takesLinesOfURLs else { return }
    guard takesLinesOfURLs || RecordInput.isOffered(by: context.input, selectionTyped: false)
    else {
      throw Failure(.usage, "nothing to add", hint: "give URLs or files, or pipe in lines of JSON")
    }
    rows = RecordInput(context.input)
  }

  /// The next requests that can be had without waiting, at least one; nil at the end.
  ///
  /// - Throws: `input-missing` if standard input cannot be read any further.
  mutating func nextBatch() throws(Failure) -> [AddRequest]? {
    if let operand = operands.popFirst() { return [request(for: operand)] }
    var batch: [AddRequest] = []
    while batch.count < Self.largestBatch, let record = try rows?.next() {
      batch.append(request(for: record))
      if rows?.hasWholeLine != true { break }
    }
    return batch.isEmpty ? nil : batch
  }

  private func request(for operand: String) -> AddRequest {
    do throws(Failure) {
      guard WebURL.isMeant(by: operand) else {
        return .file(environment.absolute(argument: operand), try description(ofFile: operand))
      }
      return .described(try description(of: try WebURL(operand)), received: JSONObject())
    } catch {
      return .bad(error, operand: operand)
    }
  }

  private func request(for record: RecordInput.Record) -> AddRequest {
    switch record {
    case .bad(let failure, let place): return .badLine(failure, place)
    case .object(let object, _) where object["outcome"]?.string == "failed":
      return .passing(object)
    case .object(let object, let place):
      do throws(Failure) {
        var description = try EpisodeDescription(object)
        if detailsDescribe { try details.apply(to: &description) }
        return .described(description, received: object)
      } catch {
        return .badLine(error, place)
      }
    case .text(let text, let place):
      do throws(Failure) {
        guard takesLinesOfURLs else {
          throw Failure(
            .badLine, "the line is not a JSON object", hint: "with '-' lines of URLs are read")
        }
        return .described(try description(of: try WebURL(text)), received: JSONObject())
      } catch {
        return .badLine(error, place)
      }
    }
  }

  private func description(of url: WebURL) throws(Failure) -> EpisodeDescription {
    var description = EpisodeDescription()
    try description.add(details.video(at: url))
    try details.apply(to: &description)
    return description
  }

  /// A file's show is its folder and its title its name, unless something else was typed.
  private func description(ofFile operand: String) throws(Failure) -> EpisodeDescription {
    let path = environment.absolute(argument: operand).lexicallyNormalized()
    var description = EpisodeDescription()
    try description.add(details.video(at: nil))
    try details.apply(to: &description)
    description.title = description.title ?? path.stem
    description.showTitle = description.show == nil ? Self.folderName(of: path) : nil
    return description
  }

  private static func folderName(of path: FilePath) -> String {
    path.removingLastComponent().lastComponent?.string ?? "files"
  }
}
