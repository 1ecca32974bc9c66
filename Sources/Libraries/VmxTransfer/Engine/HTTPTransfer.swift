import Synchronization
import VmxModel
import VmxSystem

/// One request and its response, passed between the loop's thread and a worker.
///
/// The loop appends bytes and the worker dequeues them. The loop pauses the transfer at `window`
/// waiting bytes, so that after a kill no more than that has to be fetched again. A buffer counts
/// as waiting until the worker returns it.
final class HTTPTransfer: Sendable {
  /// The maximum number of bytes of one connection that are neither written nor recorded.
  static let window = 256 * 1024
  /// The usual size of a buffer in bytes.
  static let bufferSize = 64 * 1024
  /// The sizes of buffers in bytes. A body that fits into the window arrives in one buffer, so that
  /// its worker is woken once.
  static let bufferSizes = [bufferSize, window]

  /// The events for the worker, in this order.
  enum Event {
    /// The response head; the worker decides afterwards about the body.
    case head(ResponseHead)
    /// Bytes of the body, in order; the worker returns the buffer.
    case body([UInt8])
    /// The end; no event follows.
    case end(RequestEnd)
  }

  /// The result of passing body bytes to the transfer.
  enum Reception {
    case accepted, pause, abort
  }

  private struct State {
    var head: ResponseHead?
    /// The challenge that libcurl has answered by sending user and password.
    var challenge: ResponseHead?
    /// The cookies known after a redirect.
    var cookies: [String] = []
    /// The number of header bytes, including informational responses and trailers.
    var headerBytes = 0
    var isHeadDelivered = false
    var filling: [UInt8] = []
    var full: [[UInt8]] = []
    /// The capacity of this response's buffers, in bytes.
    var bufferCapacity = HTTPTransfer.bufferSize
    /// The number of bytes received and neither returned nor discarded.
    var waiting = 0
    var received: Int64 = 0
    /// Whether an event is worth waking the worker.
    var hasPendingEvent = false
    var isPaused = false
    /// The server's address, once the request is about to be sent.
    var peer: AddressScope?
    /// Whether TLS announced the end of the response by close_notify, or the content coding proves
    /// it.
    var isEndSeen = false
    var isCancelled = false
    var discardable: Int?
    /// The cause of the failure that libcurl is about to report.
    var problem: RequestEnd?
    var end: RequestEnd?
  }

  /// The request.
  let request: CurlRequest
  /// The settings of this request alone; nil if they are those of the loop.
  let settings: TransferSettings?
  private let state = Mutex(State())
  private let headerLimit: Int
  private let pool: BufferPool
  private let changes: ChangeSignal

  /// Creates a transfer that has not begun.
  ///
  /// - Parameters:
  ///   - settings: the settings of this request alone; nil for those of the loop.
  ///   - pool: the pool of the buffers.
  ///   - changes: incremented when there is an event to dequeue.
  init(
    _ request: CurlRequest, headerLimit: Int, settings: TransferSettings? = nil,
    pool: BufferPool = BufferPool(), changes: ChangeSignal = ChangeSignal()
  ) {
    self.request = request
    self.settings = settings
    self.pool = pool
    self.changes = changes
    self.headerLimit = headerLimit
  }
}

// Methods for the worker.
extension HTTPTransfer {
  /// Returns a buffer whose bytes are written and recorded.
  ///
  /// - Returns: whether the loop has to be woken to continue.
  func recycle(_ buffer: consuming [UInt8]) -> Bool {
    let count = buffer.count
    pool.release(buffer)
    return state.withLock { state in
      state.waiting -= count
      return state.isPaused
    }
  }

  /// The head with its trailer fields, once complete.
  var head: ResponseHead? { state.withLock { $0.head } }

  /// The challenge that libcurl has answered by sending user and password; nil if there was none.
  var challenge: ResponseHead? { state.withLock { $0.challenge } }

  /// The cookies for a further request of the chain to the same origin.
  var cookies: [String] { state.withLock { $0.cookies } }

  /// Whether the end of a complete response was positively detected, so that it is not a cut.
  var hasSeenEnd: Bool {
    state.withLock { $0.isEndSeen || $0.head?.hasFramedEnd ?? false }
  }

  /// Whether the server's address is loopback or private; with a proxy, whether the host of the URL
  /// is.
  var isPeerInner: Bool {
    request.isProxied ? request.url.isInner : state.withLock { $0.peer == .inner }
  }

  /// Marks the transfer as cancelled; the caller then wakes the loop.
  func cancel() {
    state.withLock { $0.isCancelled = true }
  }

  /// Discards the rest of a small body so that the connection can be reused.
  func discard() {
    state.withLock { state in
      state.discardable = Self.window
      state.waiting -= state.filling.count + state.full.reduce(0) { $0 + $1.count }
      state.filling = []
      state.full = []
    }
  }

  /// Returns the next event; nil if there is none.
  ///
  /// - Parameter partly: whether a partly filled buffer is returned as well.
  func nextEvent(partly: Bool) -> Event? {
    state.withLock { state in
      if !state.isHeadDelivered, let head = state.head {
        state.isHeadDelivered = true
        return .head(head)
      }
      if !state.full.isEmpty { return .body(state.full.removeFirst()) }
      if partly || state.end != nil, !state.filling.isEmpty, state.isHeadDelivered {
        defer { state.filling = [] }
        return .body(state.filling)
      }
      return state.end.map { .end($0) }
    }
  }
}

// Methods for the loop.
extension HTTPTransfer {
  /// The state that the loop checks in each turn.
  struct Condition {
    var received: Int64
    var isConnected: Bool
    var isPaused: Bool
    var canContinue: Bool
    var isCancelled: Bool
  }

  /// The current state.
  var condition: Condition {
    state.withLock { state in
      Condition(
        received: state.received, isConnected: state.peer != nil, isPaused: state.isPaused,
        canContinue: state.isPaused && Self.hasCapacity(state), isCancelled: state.isCancelled)
    }
  }

  /// Whether a connection to this address is permitted.
  func permits(_ reach: AddressScope?) -> Bool {
    guard !request.isProxied, !request.http.allowsPrivateAddresses, reach != .open else {
      return true
    }
    state.withLock { $0.problem = .addressRefused }
    return false
  }

  /// Records that no socket could be created, with its errno.
  func recordSocketError(_ errno: Int32) {
    state.withLock { $0.problem = $0.problem ?? .short(errno) }
  }

  /// Records that the request is about to be sent over a new or reused connection; returns whether
  /// to send it.
  func connected(to address: AddressScope?) -> Bool {
    guard permits(address) else { return false }
    state.withLock { state in
      state.peer = address ?? .inner
      // An earlier address was refused or its socket failed, but this one is permitted.
      state.problem = nil
    }
    return true
  }

  /// Records that a paused transfer continues.
  func resumed() {
    state.withLock { $0.isPaused = false }
  }

  /// Counts the bytes of a header line, so that endless headers are detected; returns whether to
  /// continue.
  func receive(headerBytes count: Int) -> Bool {
    state.withLock { state in
      state.received += Int64(count)
      state.headerBytes += count
      guard state.headerBytes > headerLimit else { return true }
      state.problem = .malformedHead("headers without an end")
      return false
    }
  }

  /// Records the challenge that was answered before the final response.
  func challenge(_ head: ResponseHead?) {
    state.withLock { $0.challenge = head }
  }

  /// Receives the head of the final response, and the cookies for the next request of its chain.
  func receive(_ head: ResponseHead, cookies: [String] = []) {
    state.withLock { state in
      state.head = head
      state.cookies = cookies
      state.hasPendingEvent = true
      if let length = head.contentLength, length <= Int64(Self.window) {
        state.bufferCapacity = length > Int64(Self.bufferSize) ? Self.window : Self.bufferSize
      }
    }
  }

  /// Records the close_notify of TLS after a response.
  func receiveCloseNotify() {
    state.withLock { state in
      state.isEndSeen = state.head.map { $0.version.hasPrefix("1") } ?? false
    }
  }

  /// Records that the body has reached the end of its content coding.
  func markComplete() {
    state.withLock { $0.isEndSeen = true }
  }

  /// Records the reason for which the caller is about to end the request.
  func setFailure(_ problem: RequestEnd) {
    state.withLock { $0.problem = problem }
  }

  /// Adds the fields of the trailer to the head.
  func receive(trailer fields: [ResponseHead.Field]) {
    state.withLock { $0.head?.fields += fields }
  }

  /// Receives bytes of the body.
  func receive(body bytes: UnsafeRawBufferPointer) -> Reception {
    state.withLock { state -> Reception in
      guard !state.isCancelled, state.head != nil else { return .abort }
      if let left = state.discardable {
        state.discardable = left - bytes.count
        return left >= bytes.count ? .accepted : .abort
      }
      guard state.waiting + bytes.count <= Self.window else {
        state.isPaused = true
        // Only the worker can make room, and it may not have been woken for a buffer yet.
        state.hasPendingEvent = true
        return .pause
      }
      if state.filling.count + bytes.count > state.bufferCapacity, !state.filling.isEmpty {
        state.full.append(state.filling)
        state.filling = []
        state.hasPendingEvent = true
      }
      if state.filling.capacity == 0 { state.filling = pool.acquire(state.bufferCapacity) }
      state.filling.append(contentsOf: bytes)
      state.waiting += bytes.count
      state.received += Int64(bytes.count)
      return .accepted
    }
  }

  /// Wakes the worker if an event has arrived since the last call; at most once per turn of the
  /// loop.
  func notifyWorker() {
    let hasNews = state.withLock { state in
      defer { state.hasPendingEvent = false }
      return state.hasPendingEvent
    }
    if hasNews { wakeWorker() }
  }

  /// Records the end of the request.
  func finish(_ end: RequestEnd) {
    state.withLock { state in
      guard state.end == nil else { return }
      state.end = state.isCancelled ? .cancelled : state.problem ?? end
    }
    wakeWorker()
  }

  private func wakeWorker() {
    changes.signal()
  }

  /// Whether there is room for a whole buffer; continuing for less is not worthwhile.
  private static func hasCapacity(_ state: State) -> Bool {
    state.waiting + bufferSize <= window
  }
}
