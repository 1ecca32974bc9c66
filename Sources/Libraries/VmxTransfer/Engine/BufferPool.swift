import Synchronization

/// A pool of body buffers: allocating fresh memory costs more than the copy that fills it.
final class BufferPool: Sendable {
  /// The maximum total capacity of the pooled buffers, in bytes.
  private static let most = 6 << 20

  private struct State {
    /// The free buffers by their capacity in bytes.
    var buffers: [Int: [[UInt8]]] = [:]
    var kept = 0
  }

  private let state = Mutex(State())

  /// Returns an empty buffer of this capacity.
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

  /// Returns a buffer that is no longer used to the pool.
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
