import SystemPackage
import VmxCommand
import VmxModel
import VmxPresentation

/// One request to add an episode.
enum AddRequest {
  /// An episode that is described by its URLs.
  indirect case described(EpisodeDescription, received: JSONObject)
  /// A local file.
  case file(FilePath, EpisodeDescription)
  /// An operand that is neither a URL nor a file.
  case bad(Failure, operand: String)
  /// A line that is neither a description nor a URL.
  case badLine(Failure, InputPlace)
  /// A row that failed at an earlier stage.
  case passing(JSONObject)

  /// The name used in messages.
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

/// The input of `vmx add`: operands, or rows of standard input, each read only on request.
struct AddInput {
  /// The maximum number of rows in a batch.
  private static let largestBatch = 1000

  private let details: DescriptionOptions
  private let detailsDescribe: Bool
  private let environment: Environment
  private var operands: ArraySlice<String>
  private var rows: RecordInput?
  private let takesLinesOfURLs: Bool

  /// - Throws: `usage` if there are no operands and standard input cannot have rows.
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

  /// Returns the next requests that are available without waiting, at least one; nil at the end.
  ///
  /// - Throws: `input-missing` if reading standard input fails.
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

  /// Describes a file: its show is its folder and its title its name, unless options say otherwise.
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
