import Synchronization
import VmxModel

/// One request and its answer, on their way between the loop's thread and a worker.
///
/// The loop puts bytes in, the worker takes them out; the loop pauses the transfer when so much
/// is waiting that a killed process would have to fetch more than `window` again. A buffer counts
/// as waiting until the worker has given it back.
final class HTTPTransfer: Sendable {
  /// Bytes of one connection that may be neither written nor recorded.
  static let window = 256 * 1024
  /// Bytes of a buffer.
  static let bufferSize = 64 * 1024
  /// Bytes of buffers: where the whole body fits into the window it comes in one, so that its
  /// worker is woken once.
  static let rooms = [bufferSize, window]

  /// What a worker is told, in this order.
  enum Event {
    /// The answer's head; tells nothing yet of whether the body is wanted.
    case head(ResponseHead)
    /// Bytes of the body, in order; to be given back.
    case body([UInt8])
    /// Nothing more comes.
    case end(RequestEnd)
  }

  /// What the loop does with bytes it was given.
  enum Reception {
    case taken, pause, abort
  }

  private struct State {
    var parser: HeadParser
    var isHeadTold = false
    var filling: [UInt8] = []
    var full: [[UInt8]] = []
    /// Bytes that a buffer of this answer takes.
    var room = HTTPTransfer.bufferSize
    /// Bytes received and neither given back nor thrown away.
    var waiting = 0
    var received: Int64 = 0
    /// Whether something has come that is worth waking the worker for.
    var hasNews = false
    var isPaused = false
    var isConnected = false
    var isPeerInner = false
    var isAddressRefused = false
    var isCancelled = false
    var discardable: Int?
    var problem: RequestEnd?
    var end: RequestEnd?
  }

  /// What is asked.
  let request: Request
  /// Its part in the limit of all requests.
  let throttle = Throttle()
  private let state: Mutex<State>
  private let stock: BufferPool
  private let wakeCounter: WakeCounter

  /// A request that has not begun.
  ///
  /// - Parameters:
  ///   - stock: where buffers come from.
  ///   - bell: rung when there is an event to take.
  init(
    _ request: Request, headerLimit: Int, stock: BufferPool = BufferPool(),
    wakeCounter: WakeCounter = WakeCounter()
  ) {
    self.request = request
    self.stock = stock
    self.wakeCounter = wakeCounter
    state = Mutex(State(parser: HeadParser(limit: headerLimit)))
  }
}

// For the worker.
extension HTTPTransfer {
  /// Gives a buffer back: its bytes are written and recorded.
  ///
  /// - Returns: whether the loop has to be woken to go on.
  func giveBack(_ buffer: consuming [UInt8]) -> Bool {
    let count = buffer.count
    stock.put(buffer)
    return state.withLock { state in
      state.waiting -= count
      return state.isPaused
    }
  }

  /// The head with its trailer, once complete.
  var head: ResponseHead? { state.withLock { $0.parser.head } }

  /// Whether what answers is in a loopback or private net; by a proxy, whether its URL says so.
  var isPeerInner: Bool {
    request.isProxied ? request.url.isInner : state.withLock { $0.isPeerInner }
  }

  /// Gives the answer up; the loop has to be woken.
  func cancel() {
    state.withLock { $0.isCancelled = true }
  }

  /// Lets the rest of a small body pass unseen, so that the connection can be used again.
  func discard() {
    state.withLock { state in
      state.discardable = Self.window
      state.waiting -= state.filling.count + state.full.reduce(0) { $0 + $1.count }
      state.filling = []
      state.full = []
    }
  }

  /// The next event; nil if none has come since the last one.
  ///
  /// - Parameter partly: whether a buffer that is not full is wanted, too.
  func take(partly: Bool) -> Event? {
    state.withLock { state in
      if !state.isHeadTold, let head = state.parser.head {
        state.isHeadTold = true
        return .head(head)
      }
      if !state.full.isEmpty { return .body(state.full.removeFirst()) }
      if partly || state.end != nil, !state.filling.isEmpty, state.isHeadTold {
        defer { state.filling = [] }
        return .body(state.filling)
      }
      return state.end.map { .end($0) }
    }
  }
}

// For the loop.
extension HTTPTransfer {
  /// What the loop has to look after.
  struct Condition {
    var received: Int64
    var isConnected: Bool
    var isPaused: Bool
    var canGoOn: Bool
    var isCancelled: Bool
  }

  /// How it stands.
  var condition: Condition {
    state.withLock { state in
      Condition(
        received: state.received, isConnected: state.isConnected, isPaused: state.isPaused,
        canGoOn: state.isPaused && Self.hasRoom(state), isCancelled: state.isCancelled)
    }
  }

  /// Whether a connection to an address may be used.
  func mayUse(_ reach: AddressReach?) -> Bool {
    guard !request.isProxied, !request.mayBePrivate, reach != .open else { return true }
    state.withLock { $0.isAddressRefused = true }
    return false
  }

  /// No socket could be had, by the kernel's number.
  func lacks(_ errno: Int32) {
    state.withLock { $0.problem = .short(errno) }
  }

  /// The request is about to be sent over a connection, new or used before; whether to go on.
  func connected(to address: AddressReach?) -> Bool {
    guard mayUse(address) else { return false }
    state.withLock { state in
      state.isConnected = true
      state.isPeerInner = address != .open
      // An address that may be used came after one that may not.
      state.isAddressRefused = false
      // One socket came after another could not be had.
      state.problem = nil
    }
    return true
  }

  /// A paused transfer goes on.
  func resumed() {
    state.withLock { $0.isPaused = false }
  }

  /// Takes one line of headers; whether to go on.
  func receive(header line: UnsafeRawBufferPointer) -> Bool {
    let step = state.withLock { state in
      state.received += Int64(line.count)
      let step = state.parser.take(line)
      switch step {
      case .tooLarge: state.problem = .badHead("headers without an end")
      case .malformed: state.problem = .badHead("no status line")
      case .complete:
        state.hasNews = true
        if let length = state.parser.head?.contentLength, length <= Int64(Self.window) {
          state.room = length > Int64(Self.bufferSize) ? Self.window : Self.bufferSize
        }
      case .more: break
      }
      return step
    }
    return step == .more || step == .complete
  }

  /// Takes bytes of the body.
  func receive(body bytes: UnsafeRawBufferPointer) -> Reception {
    state.withLock { state -> Reception in
      guard !state.isCancelled, state.parser.head != nil else { return .abort }
      if let left = state.discardable {
        state.discardable = left - bytes.count
        return left >= bytes.count ? .taken : .abort
      }
      guard state.waiting + bytes.count <= Self.window else {
        state.isPaused = true
        // Room comes only from the worker, who may not have been told of a buffer yet.
        state.hasNews = true
        return .pause
      }
      if state.filling.count + bytes.count > state.room, !state.filling.isEmpty {
        state.full.append(state.filling)
        state.filling = []
        state.hasNews = true
      }
      if state.filling.capacity == 0 { state.filling = stock.take(state.room) }
      state.filling.append(contentsOf: bytes)
      state.waiting += bytes.count
      state.received += Int64(bytes.count)
      return .taken
    }
  }

  /// Wakes the worker if something has come for it since the last time; once for all that came in
  /// one turn of the loop.
  func tellNews() {
    let hasNews = state.withLock { state in
      defer { state.hasNews = false }
      return state.hasNews
    }
    if hasNews { ring() }
  }

  /// Nothing more comes.
  func finish(_ end: RequestEnd) {
    state.withLock { state in
      guard state.end == nil else { return }
      let problem = state.isAddressRefused ? RequestEnd.addressRefused : state.problem
      state.end = state.isCancelled ? .cancelled : problem ?? end
    }
    ring()
  }

  private func ring() {
    wakeCounter.ring()
  }

  /// Whether there is room for a buffer: for less it is not worth while to go on.
  private static func hasRoom(_ state: State) -> Bool {
    state.waiting + bufferSize <= window
  }
}
