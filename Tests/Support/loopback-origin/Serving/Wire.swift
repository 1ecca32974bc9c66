import Glibc

/// One accepted TCP connection. Its owner ends it exactly once, by `finish` or `reset`.
struct Wire: Sendable {
  private let descriptor: Int32
  private let session: SecureSession?
  /// The stream that carries the response if the client uses HTTP/2.
  private var answer: AnswerFrames?

  /// - Parameter identity: the certificate and key for TLS; nil for plain HTTP.
  /// - Returns: nil if the TLS handshake fails; the connection is then closed.
  init?(_ descriptor: Int32, as identity: SecureIdentity?) {
    self.descriptor = descriptor
    session = identity.flatMap { SecureSession(descriptor, as: $0) }
    guard identity == nil || session != nil else {
      close(descriptor)
      return nil
    }
    var on: Int32 = 1
    setsockopt(
      descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Whether the response is sent as an HTTP/2 stream.
  var isStream: Bool { answer != nil }

  /// Returns the same wire, which sends the response as frames of this stream from now on.
  func answering(stream: UInt8) -> Wire {
    var wire = self
    wire.answer = AnswerFrames(stream: stream)
    return wire
  }

  /// Ends the stream of a response; a response without a stream is ended by its framing or the
  /// connection.
  func endAnswer(isWhole: Bool) {
    guard let answer else { return }
    _ = answer.end(isWhole: isWhole).withUnsafeBytes { put($0) }
  }

  /// Sends all bytes; returns false if the peer has closed the connection.
  func send(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let answer else { return put(bytes) }
    return answer.frames(bytes).withUnsafeBytes { put($0) }
  }

  private func put(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var rest = bytes
    while let base = rest.baseAddress, !rest.isEmpty {
      let sent =
        session?.send(rest) ?? Glibc.send(descriptor, base, rest.count, Int32(MSG_NOSIGNAL))
      if sent < 0 || session != nil && sent == 0 {
        if session == nil, errno == EINTR { continue }
        return false
      }
      rest = UnsafeRawBufferPointer(rebasing: rest[sent...])
    }
    return true
  }

  /// Sends all bytes; returns false if the peer has closed the connection.
  func send(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { send($0) }
  }

  /// Appends received bytes; returns false at the end of the stream or on an error.
  func receive(into bytes: inout [UInt8]) -> Bool {
    var piece = [UInt8](repeating: 0, count: 16 << 10)
    while true {
      let count = session?.receive(into: &piece) ?? recv(descriptor, &piece, piece.count, 0)
      if session == nil, count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      bytes.append(contentsOf: piece[..<count])
      return true
    }
  }

  /// Waits this many milliseconds; returns false as soon as the peer has closed the connection.
  func linger(milliseconds: Int64) -> Bool {
    let end = Moment.now + milliseconds
    while true {
      let left = end - Moment.now
      guard left > 0 else { return true }
      var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard Glibc.poll(&poll, 1, Int32(min(left, 1000))) > 0 else { continue }
      var byte: UInt8 = 0
      let flags = Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)
      let seen = recv(descriptor, &byte, 1, flags)
      if seen == 0 || (seen < 0 && errno != EAGAIN && errno != EINTR) { return false }
      // The next request has already arrived, so poll would return immediately.
      if seen > 0 { usleep(10_000) }
    }
  }

  /// Ends the connection with FIN, so that all sent bytes arrive.
  ///
  /// - Parameter notifies: whether TLS sends close_notify first.
  func finish(notifies: Bool = true) {
    if notifies { session?.close() }
    shutdown(descriptor, Int32(SHUT_WR))
    // Closing with unread bytes would turn the FIN into a reset.
    var ignored: [UInt8] = []
    let end = Moment.now + 2000
    while linger(milliseconds: min(50, max(0, end - Moment.now))), Moment.now < end {}
    var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while Glibc.poll(&poll, 1, 0) > 0, receive(into: &ignored), ignored.count < 1 << 20 {}
    close(descriptor)
  }

  /// Ends the connection with RST, after the peer's kernel has received the bytes sent so far.
  func reset() {
    let end = Moment.now + 2000
    while unsentBytes > 0, Moment.now < end { usleep(1000) }
    var abort = Glibc.linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &abort, socklen_t(MemoryLayout<Glibc.linger>.size))
    close(descriptor)
  }

  /// The number of bytes that the peer's kernel has not acknowledged.
  private var unsentBytes: Int32 {
    var count: Int32 = 0
    return ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0 ? count : 0
  }
}

/// The monotonic clock in milliseconds.
enum Moment {
  static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}
