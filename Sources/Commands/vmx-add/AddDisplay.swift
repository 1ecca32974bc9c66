import SystemPackage
import VmxCommand
import VmxModel
import VmxPresentation
import VmxSystem

/// Shows the progress of the local files among the operands on standard error.
final class AddDisplay {
  /// Reports how much of a file was read; may be called on any thread.
  let progress: @Sendable (FilePath, ByteCount) -> Void
  private let display: ProgressDisplay
  private let messages: Messages
  private var rest = WorkAmount.zero

  /// Creates the display of a run.
  ///
  /// - Parameter operands: all operands; only files among them are displayed.
  init(_ operands: [String], isOff: Bool, in context: CommandContext) {
    let messages = context.messages
    let display = ProgressDisplay(
      isOff ? .none : .auto, on: messages.sink, terminal: { messages.terminal })
    self.display = display
    self.messages = messages
    progress = { file, read in
      if !display.isDisabled {
        display.update(Self.item(file, read.bytes, of: Self.size(of: file)))
      }
    }
    messages.share(with: Messages.LiveView(suspend: display.suspend, resume: display.resume))
    guard !display.isDisabled else { return }
    for operand in operands where !WebURL.isMeant(by: operand) {
      rest.add(fileOf: Self.size(of: context.environment.absolute(argument: operand)))
    }
  }

  /// Displays a file while the closure works on it.
  func during<R>(_ file: FilePath, _ body: () throws -> R) rethrows -> R {
    guard !display.isDisabled else { return try body() }
    let size = Self.size(of: file)
    rest.subtract(fileOf: size)
    var own = WorkAmount.zero
    own.add(fileOf: size)
    display.begin(Self.name(of: file), own, pending: rest)
    display.update(Self.item(file, 0, of: size))
    defer { display.end(episode: Self.name(of: file)) }
    return try body()
  }

  /// Clears the display.
  func close() {
    messages.share(with: nil)
    display.close()
  }

  private static func item(_ file: FilePath, _ read: Int64, of size: Int64?) -> ProgressItem {
    var item = ProgressItem(id: name(of: file), completedBytes: read, total: size)
    item.expected = size
    return item
  }

  private static func name(of file: FilePath) -> String {
    file.lastComponent?.string ?? file.string
  }

  /// The size of a file; nil if it cannot be inspected, an error that the import then reports.
  private static func size(of file: FilePath) -> Int64? {
    guard let facts = try? FileFacts.of(file), facts.isRegular else { return nil }
    return facts.size
  }
}
