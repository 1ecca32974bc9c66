import BackendWire
import VmxModel

/// The events that clients have reported, and the orders to send to them: a receiver of `vmx
/// report` that follows its manual strictly.
struct EventRegister: Sendable {
  /// The accepted lines in the order of arrival, without repetitions.
  private(set) var lines: [String] = []
  /// The number of lines that arrived again with a known key.
  private(set) var repeated = 0
  /// The number of accepted messages.
  private(set) var messages = 0
  /// The orders to send with the next response.
  private var orders: [String] = []
  private var keys: Set<Substring> = []
  /// The responses by message: a repeated message gets the same response again.
  private var answers: [String: Answer] = [:]

  /// Accepts the lines of a message.
  ///
  /// - Parameter spoiled: the event because of which a message is rejected; nil for none.
  mutating func take(_ body: String, spoiled: String?) -> Answer {
    let lines = body.split(separator: "\n")
    guard !lines.isEmpty, lines.allSatisfy({ Self.key(of: $0) != nil }) else {
      return .problem(400, nil, "These are no events.")
    }
    if let spoiled, lines.contains(where: { $0.contains("\"event\":\"\(spoiled)\"") }) {
      return .problem(422, nil, "There is an event that I do not like.")
    }
    messages += 1
    if let answer = answers[body] {
      repeated += lines.count
      return answer
    }
    for line in lines {
      guard let key = Self.key(of: line), keys.insert(key).inserted else {
        repeated += 1
        continue
      }
      self.lines.append(String(line))
    }
    var answer = Answer(orders.map { $0 + "\n" }.joined())
    answer.type = "application/x-ndjson"
    orders = []
    answers[body] = answer
    return answer
  }

  /// Queues an order for the next response.
  mutating func order(_ values: [String: String]) {
    let until = values["until"].map { ",\"until\":\"\($0)\"" } ?? ""
    orders.append(
      "{\"order\":\"\(values["do"] ?? "")\",\"id\":\"\(values["id"] ?? "")\"\(until)}")
  }

  /// All events as text, followed by the counts.
  var text: String {
    lines.map { $0 + "\n" }.joined()
      + "{\"events\":\(lines.count),\"repeated\":\(repeated),\"messages\":\(messages)}\n"
  }

  private static func key(of line: Substring) -> Substring? {
    let mark = "{\"key\":\""
    guard line.hasPrefix(mark) else { return nil }
    let key = line.dropFirst(mark.count).prefix { $0 != "\"" }
    return key.count == 32 ? key : nil
  }
}
