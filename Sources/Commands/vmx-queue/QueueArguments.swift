import ArgumentParser
import VmxModel
import VmxQueueing

/// The conversion of the command line for the parser.
enum QueueArguments {
  /// The replacement for the sign of a negative number, since the parser reads `-5` as an option.
  private static let minus: Character = "\u{2212}"

  /// Returns the name without `vmx-` by which the tool was called.
  static func name(calledAs path: String?) -> String {
    let file = path?.split(separator: "/").last.map(String.init) ?? ""
    let name = file.hasPrefix("vmx-") ? String(file.dropFirst(4)) : file
    return Toolbox.link(named: name) == nil ? "queue" : name
  }

  /// Returns the arguments after the name; a link's name is inserted as the request.
  static func parsed(_ line: [String]) -> [String] {
    let name = name(calledAs: line.first)
    let request = name == "queue" ? [] : [name]
    var isOperand = false
    return request
      + line.dropFirst().map { word in
        isOperand = isOperand || word == "--"
        let isNumber =
          word.count > 1 && word.hasPrefix("-") && word.dropFirst().allSatisfy(\.isASCIIDigit)
        return isNumber && !isOperand ? "\(minus)\(word.dropFirst())" : word
      }
  }

  /// Returns a number's text with its original sign.
  static func signedText(_ word: String) -> String {
    word.first == minus ? "-\(word.dropFirst())" : word
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}

/// The options that name the destination of `vmx queue move`.
struct DestinationOptions: ParsableArguments {
  @Flag(help: "With 'move': to the front of the queue.")
  var first = false

  @Flag(help: "With 'move': to the end of the queue.")
  var last = false

  @Option(help: ArgumentHelp("With 'move': before this episode.", valueName: "id"))
  var before: String?

  /// Returns the destination; nil if none was given.
  ///
  /// - Throws: `usage` for several, or an invalid id.
  func destination() throws(Failure) -> QueueDestination? {
    var goals: [QueueDestination] = []
    if first { goals.append(.first) }
    if last { goals.append(.last) }
    if let before {
      guard let id = EpisodeID(typed: before) else {
        throw Failure.noSuchEpisode(before)
      }
      goals.append(.before(id))
    }
    guard goals.count < 2 else {
      throw Failure(.usage, "--first, --last and --before exclude each other")
    }
    return goals.first
  }
}
