import Synchronization
import VmxCommand
package import VmxModel

/// A source that returns prepared pieces one after another.
package final class MadeSource: ByteSource {
  package let isData: Bool
  package let isTerminal: Bool
  private let pieces: Mutex<[[UInt8]]>

  /// Creates a source of these texts; without any it behaves like `/dev/null`.
  ///
  /// - Parameter isTyped: whether the source acts as a terminal.
  package init(_ pieces: String..., isTyped: Bool = false) {
    isData = !pieces.isEmpty && !isTyped
    isTerminal = isTyped
    self.pieces = Mutex(pieces.map { Array($0.utf8) })
  }

  package var hasWaitingBytes: Bool { isData && pieces.withLock { !$0.isEmpty } }

  package func read() throws(Failure) -> [UInt8] {
    pieces.withLock { $0.isEmpty ? [] : $0.removeFirst() }
  }
}
