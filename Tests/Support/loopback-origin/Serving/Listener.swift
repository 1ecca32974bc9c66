import Glibc

/// A listening socket on 127.0.0.1.
struct Listener: Sendable {
  private let descriptor: Int32
  /// The port on which it listens: the requested one, or one that the kernel chose for 0.
  let port: UInt16
  private let identity: SecureIdentity?

  /// - Parameter identity: the certificate and key for TLS; nil for plain HTTP.
  init(port: UInt16, as identity: SecureIdentity? = nil) throws(OriginProblem) {
    self.identity = identity
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    descriptor = socket(AF_INET, kind, 0)
    guard descriptor >= 0 else { throw .system("socket", "\(port)") }
    var on: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = descriptor
    let bound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && listen(descriptor, 512) == 0
          && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard bound else { throw .system("bind", "\(port)") }
    self.port = UInt16(bigEndian: address.sin_port)
  }

  /// Starts a thread for each connection; returns only if the socket fails.
  func acceptForever(_ service: Service) {
    while true {
      let accepted = accept(descriptor, nil, nil)
      if accepted < 0 {
        // The process is out of descriptors, or the peer has aborted; the next connection may
        // succeed.
        if errno == EBADF || errno == EINVAL { return }
        usleep(1000)
        continue
      }
      _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
      let port = port
      do {
        try DetachedThread.start { [identity] in
          guard let wire = Wire(accepted, as: identity) else {
            return service.log.recordFailedHandshake(at: port)
          }
          Connection(wire, service: service, port: port).serve()
        }
      } catch {
        close(accepted)
      }
    }
  }
}

/// The addresses of the two listeners, for rules and redirects.
struct Places: Sendable {
  let first: UInt16
  let second: UInt16

  /// Returns the text with `@FIRST@` and `@SECOND@` replaced by host and port.
  func filled(_ text: String) -> String {
    text.replacing("@FIRST@", with: "127.0.0.1:\(first)")
      .replacing("@SECOND@", with: "127.0.0.1:\(second)")
  }
}
