import Synchronization

/// Buffers that answers are taken into and written from, used again by others: fresh memory costs
/// more than the copy that fills it.
final class BufferPool: Sendable {
  /// Bytes of the buffers that are kept at most.
  private static let most = 6 << 20

  private struct State {
    /// By the bytes that they take.
    var buffers: [Int: [[UInt8]]] = [:]
    var kept = 0
  }

  private let state = Mutex(State())

  /// An empty buffer that takes so many bytes.
  func take(_ room: Int) -> [UInt8] {
    let known = state.withLock { state -> [UInt8]? in
      guard let buffer = state.buffers[room]?.popLast() else { return nil }
      state.kept -= room
      return buffer
    }
    if let known { return known }
    var buffer: [UInt8] = []
    buffer.reserveCapacity(room)
    return buffer
  }

  /// Takes a buffer back, which nobody looks at any more.
  func put(_ buffer: consuming [UInt8]) {
    var empty = buffer
    empty.removeAll(keepingCapacity: true)
    let room = HTTPTransfer.rooms.last { $0 <= empty.capacity }
    guard let room else { return }
    state.withLock { [empty] state in
      guard state.kept + room <= Self.most else { return }
      state.kept += room
      state.buffers[room, default: []].append(empty)
    }
  }
}
