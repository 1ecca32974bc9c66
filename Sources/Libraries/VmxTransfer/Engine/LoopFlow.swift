import CCurl
import Glibc
import Synchronization
import VmxModel
import VmxSystem

/// The work of the loop's thread: adds requests, runs libcurl, reports ends and detects stalls.
struct LoopFlow {
  private struct Active {
    let handle: EasyHandle
    let transfer: HTTPTransfer
    var watch: StallDetector
  }

  /// The maximum number of easy handles kept for later requests.
  private static let maxIdleHandles = 16

  private let multi: MultiHandle
  private let settings: TransferSettings
  private var active: [UnsafeMutableRawPointer: Active] = [:]
  private var idleHandles: [EasyHandle] = []
  private var watched: Int64 = 0
  private let limit: RateLimit
  /// The interval between two checks for stalls, in milliseconds.
  private let watchInterval: Int64

  init(_ multi: MultiHandle, _ settings: TransferSettings) {
    self.multi = multi
    self.settings = settings
    watchInterval = max(1, min(250, settings.stallTime / 4, settings.responseTime / 4))
    limit = RateLimit(now: Deadline.nowMilliseconds)
    limit.set(settings.rate()?.bytes, now: Deadline.nowMilliseconds)
  }

  /// Begins requests.
  mutating func begin(_ transfers: [HTTPTransfer]) {
    for transfer in transfers {
      guard let handle = idleHandles.popLast() ?? EasyHandle(limit) else {
        transfer.finish(.short(ENOMEM))
        continue
      }
      let settings = transfer.settings ?? settings
      handle.prepare(for: transfer, settings)
      let watch = StallDetector(
        rate: settings.stallBytesPerSecond, time: settings.stallTime,
        firstTime: settings.responseTime, since: Deadline.nowMilliseconds)
      active[handle.pointer] = Active(handle: handle, transfer: transfer, watch: watch)
      guard curl_multi_add_handle(multi.pointer, handle.pointer) == CURLM_OK else {
        finish(handle.pointer, .short(ENOMEM))
        continue
      }
    }
  }

  /// Performs all transfers once, then waits for activity.
  mutating func poll() {
    resumeOrCancel()
    admit()
    var running: Int32 = 0
    curl_multi_perform(multi.pointer, &running)
    var handle: UnsafeMutableRawPointer?
    var code = CURLE_OK
    while vmx_curl_multi_next_done(multi.pointer, &handle, &code) != 0, let done = handle {
      if code == CURLE_OK, let entry = active[done] {
        entry.transfer.receive(trailer: entry.handle.trailer)
      }
      finish(done, active[done]?.handle.end(after: code) ?? .complete)
    }
    for entry in active.values { entry.transfer.notifyWorker() }
    watch()
    // A wake-up after the inbox was read ends the wait immediately.
    let longest = active.isEmpty ? 60_000 : min(watchInterval, timeToAdmission)
    curl_multi_poll(multi.pointer, nil, 0, Int32(longest), nil)
  }

  /// Cancels the remaining transfers.
  mutating func end() {
    for pointer in Array(active.keys) { finish(pointer, .cancelled) }
    idleHandles = []
  }

  /// Ends the transfers that workers cancelled and resumes those that have room again.
  private mutating func resumeOrCancel() {
    for (pointer, entry) in active {
      let condition = entry.transfer.condition
      if condition.isCancelled {
        finish(pointer, .cancelled)
      } else if condition.canContinue {
        entry.transfer.resumed()
        active[pointer]?.watch.restart(received: condition.received, now: Deadline.nowMilliseconds)
        curl_easy_pause(pointer, CURLPAUSE_CONT)
      }
    }
  }

  private mutating func watch() {
    let now = Deadline.nowMilliseconds
    guard now - watched >= watchInterval else { return }
    watched = now
    limit.set(settings.rate()?.bytes, now: now)
    for pointer in Array(active.keys) {
      guard var entry = active[pointer] else { continue }
      let condition = entry.transfer.condition
      if condition.isPaused || !condition.isConnected || entry.handle.queuePosition != nil {
        entry.watch.restart(received: condition.received, now: now)
      } else if entry.watch.isStalled(received: condition.received, now: now) {
        finish(pointer, condition.received == 0 ? .noResponse : .stalled)
        continue
      }
      active[pointer] = entry
    }
  }

  private mutating func finish(_ pointer: UnsafeMutableRawPointer, _ end: RequestEnd) {
    guard let entry = active.removeValue(forKey: pointer) else { return }
    curl_multi_remove_handle(multi.pointer, pointer)
    entry.handle.clear()
    if idleHandles.count < Self.maxIdleHandles { idleHandles.append(entry.handle) }
    entry.transfer.finish(end)
  }
}

// The common rate limit of all requests.
extension LoopFlow {
  /// Resumes the transfers that the rate limit has room for again, the longest waiting first.
  private mutating func admit() {
    let waiting = active.compactMap { entry in
      entry.value.handle.queuePosition.map { (pointer: entry.key, turn: $0) }
    }
    guard !waiting.isEmpty else { return }
    for (pointer, _) in waiting.sorted(by: { $0.turn < $1.turn }) {
      let now = Deadline.nowMilliseconds
      guard limit.admits(now: now), let entry = active[pointer] else { return }
      entry.handle.queuePosition = nil
      active[pointer]?.watch.restart(received: entry.transfer.condition.received, now: now)
      curl_easy_pause(pointer, CURLPAUSE_CONT)
    }
  }

  /// The milliseconds until a transfer that waits for the rate limit may continue.
  private var timeToAdmission: Int64 {
    guard active.values.contains(where: { $0.handle.queuePosition != nil }) else {
      return watchInterval
    }
    return max(1, limit.wait(now: Deadline.nowMilliseconds))
  }
}

/// A pool of body buffers: allocating fresh memory costs more than the copy that fills it.
final class BufferPool: Sendable {
  /// The maximum total capacity of the pooled buffers, in bytes.
  private static let maxBytes = 6 << 20

  private struct State {
    /// The free buffers by their capacity in bytes.
    var buffers: [Int: [[UInt8]]] = [:]
    var pooledBytes = 0
  }

  private let state = Mutex(State())

  /// Returns an empty buffer of this capacity.
  func acquire(_ room: Int) -> [UInt8] {
    let known = state.withLock { state -> [UInt8]? in
      guard let buffer = state.buffers[room]?.popLast() else { return nil }
      state.pooledBytes -= room
      return buffer
    }
    if let known { return known }
    var buffer: [UInt8] = []
    buffer.reserveCapacity(room)
    return buffer
  }

  /// Returns a buffer that is no longer used to the pool.
  func release(_ buffer: consuming [UInt8]) {
    var empty = buffer
    empty.removeAll(keepingCapacity: true)
    let room = HTTPTransfer.bufferSizes.last { $0 <= empty.capacity }
    guard let room else { return }
    state.withLock { [empty] state in
      guard state.pooledBytes + room <= Self.maxBytes else { return }
      state.pooledBytes += room
      state.buffers[room, default: []].append(empty)
    }
  }
}
