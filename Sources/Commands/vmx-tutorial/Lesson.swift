import Glibc
import VmxCommand
import VmxModel
import VmxPresentation
import VmxStore
import VmxSystem

/// The conversation of the tutorial: a step is shown, the user types its command, and the next one
/// follows once it took effect.
struct Lesson {
  private let room: TutorialRoom
  private let context: CommandContext
  private let interruption: Interruption

  init(in room: TutorialRoom, _ context: CommandContext, until interruption: Interruption) {
    self.room = room
    self.context = context
    self.interruption = interruption
  }

  /// Gives the lesson until its end, or until the user ends it.
  ///
  /// - Throws: `WorkEnded.interrupted`; the errors of the store and of the output.
  func give() throws {
    let steps = TutorialStep.all(at: room.address)
    try say("Type each command as shown. 'skip' types it for you, 'quit' ends the tutorial.")
    for (number, step) in zip(1..., steps) {
      try print(
        "\n" + bold("\(number) of \(steps.count): \(step.goal)") + "\n\n    \(step.command)\n\n")
      guard try take(step) else { return try say("The tutorial has ended, and nothing remains.") }
      try print("\n")
      try say(step.explanation)
    }
    try print("\n")
    try say(
      "The library of this tutorial is removed now. Yours begins with 'vmx add' or 'vmx fetch'.")
  }

  /// Runs what the user types until the step took effect; returns false if the user ends the
  /// tutorial.
  private func take(_ step: TutorialStep) throws -> Bool {
    while true {
      try print("$ ")
      guard let bytes = try readLine(from: STDIN_FILENO, until: interruption) else { return false }
      var line = String(decoding: bytes, as: UTF8.self)
      line = line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      switch line {
      case "": continue
      case "quit", "exit": return false
      case "skip":
        line = step.command
        try print("$ \(line)\n")
      default: break
      }
      guard line.hasPrefix("vmx ") else {
        try say("Commands of this tutorial begin with 'vmx '.")
        continue
      }
      let succeeded = try room.run(line)
      if interruption.isRequested { throw WorkEnded.interrupted }
      if try isDone(step, by: line, succeeded) { return true }
      try say("This step needs: \(step.command)")
    }
  }

  private func isDone(_ step: TutorialStep, by line: String, _ succeeded: Bool) throws -> Bool {
    if let tookEffect = step.tookEffect { return try tookEffect(try room.snapshot()) }
    let words = { (text: String) in text.split(separator: " ").prefix(2) }
    return succeeded && words(line) == words(step.command)
  }

  /// Prints a paragraph, wrapped to the width of the terminal.
  private func say(_ text: String) throws {
    let width = min(78, max(20, context.terminalNow().width - 2))
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, line.count + 1 + word.count > width {
        try print(line + "\n")
        line = ""
      }
      line += line.isEmpty ? String(word) : " \(word)"
    }
    try print(line + "\n")
  }

  private func bold(_ text: String) -> String { context.terminal.palette.paint(text, .strong) }

  private func print(_ text: String) throws {
    try context.output.write(text)
    try context.output.flush()
  }
}
