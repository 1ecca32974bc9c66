import Glibc

/// The misbehaviours that control requests have set.
package struct Faults: Sendable {
  private struct Fault: Sendable {
    let call: String
    let name: String
    var left: Int
  }

  private var faults: [Fault] = []

  /// Creates an empty list.
  package init() {}

  /// Adds the fault of a control request: `do` is its name, `on` the end of the names of the
  /// affected calls (all without it), and `times` the number of those calls.
  package mutating func add(_ values: [String: String]) {
    faults.append(
      Fault(
        call: values["on"] ?? "", name: values["do"] ?? "",
        left: values["times"].flatMap { Int($0) } ?? .max))
  }

  /// Removes all faults.
  package mutating func clear() { faults = [] }

  /// Uses up one fault of a call, the oldest first; returns nil if the call is to behave correctly.
  package mutating func next(of call: String) -> String? {
    let index = faults.firstIndex { $0.left > 0 && call.hasSuffix($0.call) }
    guard let index else { return nil }
    faults[index].left -= 1
    return faults[index].name
  }
}

/// The outcome of a request.
package enum End: Sendable {
  /// The response is sent, or only its first half.
  case answer(Answer, isCut: Bool = false)
  /// The connection is closed without a response.
  case lost
  /// The connection stays open without a response.
  case hung

  /// Ends a request on a connection, which the caller then closes.
  package func perform(on connection: Int32) {
    switch self {
    case .answer(let answer, let isCut): answer.send(to: connection, isCut: isCut)
    case .lost: break
    case .hung:
      // Returns when the client closes the connection.
      var byte: UInt8 = 0
      while recv(connection, &byte, 1, 0) > 0 {}
    }
  }
}
