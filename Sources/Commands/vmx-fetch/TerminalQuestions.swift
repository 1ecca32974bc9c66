import Synchronization
import VmxCommand
import VmxFetching
import VmxLibrary
import VmxModel
import VmxPresentation
import VmxQueueing
import VmxStore
import VmxSystem

/// Asks the user the questions of a fetch on the terminal, one at a time.
final class TerminalQuestions: FetchPrompts {
  private let tools: LibraryTools
  private let interruption: Interruption
  private let context: CommandContext
  /// The chosen index by the labels of the variants. Locked while a question is open.
  private let chosen = Mutex<[[String]: Int]>([:])

  init(_ tools: LibraryTools, _ interruption: Interruption, in context: CommandContext) {
    self.tools = tools
    self.interruption = interruption
    self.context = context
  }

  func confirmMetered(for id: EpisodeID, source: String) throws -> MeteredAnswer {
    // The lock prevents a concurrent question about a quality.
    try chosen.withLock { _ in
      let answer = try prompt(
        "use it in this run? [y/N, a: always for the show '\(id.show)'] ",
        after: ["the network for '\(id)' is metered according to \(source)"])
      switch answer {
      case "y", "yes": return .yes
      case "a", "always":
        let editor = QueueEditor(tools)
        _ = try editor.mark(show: id.show, meteredOK: true)
        return .always
      default: return .no
      }
    }
  }

  func variant(of id: EpisodeID, among offered: [Variant], usual: Variant) throws -> Variant {
    let labels = offered.map(\.label)
    return try chosen.withLock { chosen in
      if let index = chosen[labels] { return offered[index] }
      let usual = offered.firstIndex(of: usual) ?? 0
      let lines = zip(1..., offered).map { "  \($0)  \($1.label), \($1.sizeText)" }
      while true {
        let answer = try prompt(
          "which one, also for later episodes like it? [1-\(offered.count), Enter: \(usual + 1)] ",
          after: ["'\(id)' is available in \(offered.count) qualities:"] + lines)
        guard let index = Self.index(of: answer, in: offered, usual) else {
          context.messages.note("answer with a number, a height such as 720p, best or smallest")
          continue
        }
        chosen[labels] = index
        return offered[index]
      }
    }
  }

  private static func index(of answer: String, in offered: [Variant], _ usual: Int) -> Int? {
    if answer.isEmpty { return usual }
    if let number = Int(answer) { return offered.indices.contains(number - 1) ? number - 1 : nil }
    return Quality(text: answer)?.choice(among: offered).flatMap { offered.firstIndex(of: $0) }
  }

  private func prompt(_ question: String, after introduction: [String]) throws -> String {
    do {
      return try context.prompt(to: question, after: introduction, until: interruption)
    } catch  where !error.isInterruption {
      // A closed terminal counts as an empty answer.
      return ""
    }
  }
}

extension Variant {
  fileprivate var label: String {
    let texts = [
      height.map { "\($0)p" }, bitrate.map { "\($0 / 1000) kbit/s" }, type,
    ]
    let known = texts.compactMap { $0 }
    return known.isEmpty ? "quality unknown" : known.joined(separator: ", ")
  }

  fileprivate var sizeText: String { size?.forPeople ?? "size unknown" }
}
