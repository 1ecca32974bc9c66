import Glibc

/// The command-line options of the origin.
struct OriginOptions {
  private(set) var root = "."
  private(set) var port: UInt16 = 0
  private(set) var secondPort: UInt16 = 0
  private(set) var portFile: String?
  private(set) var secondPortFile: String?
  private(set) var log: String?
  /// The certificate and key of the second listener, which uses TLS if they are given.
  private(set) var certificate: String?
  private(set) var key: String?
  /// Whether the second listener offers HTTP/2 over TLS.
  private(set) var offersStreams = false
  /// The lines of fault rules: those of the plan file, then those given by `--rule`.
  private(set) var rules: [String] = []
  /// The number of seconds after which the origin exits by itself, so that an aborted test leaves
  /// no process behind.
  private(set) var life: UInt32 = 3600
  /// The videos to create at the start, as `NAME=BYTES`.
  private(set) var films: [String] = []
  private(set) var wantsHelp = false

  init(_ arguments: [String]) throws(OriginProblem) {
    var rest = arguments[...]
    while let option = rest.popFirst() {
      if option == "--help" {
        wantsHelp = true
        continue
      }
      if option == "--http2" {
        offersStreams = true
        continue
      }
      guard let value = rest.popFirst() else { throw OriginProblem("'\(option)' needs a value") }
      switch option {
      case "--root": root = value
      case "--port": port = try Self.number(value, of: option)
      case "--second-port": secondPort = try Self.number(value, of: option)
      case "--port-file": portFile = value
      case "--second-port-file": secondPortFile = value
      case "--log": log = value
      case "--certificate": certificate = value
      case "--key": key = value
      case "--life": life = try Self.number(value, of: option)
      case "--film": films.append(value)
      case "--rule": rules.append(value)
      case "--plan": rules.insert(contentsOf: try Self.lines(of: value), at: 0)
      default: throw OriginProblem("unknown option '\(option)'; see --help")
      }
    }
  }

  private static func number<Number: FixedWidthInteger>(
    _ text: String, of option: String
  ) throws(OriginProblem) -> Number {
    guard let number = Number(text) else { throw OriginProblem("'\(option)' needs a number") }
    return number
  }

  private static func lines(of path: String) throws(OriginProblem) -> [String] {
    guard let file = OpenFile(path) else { throw .system("open", path) }
    let bytes = file.content.bytes(0..<file.content.size)
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  static var help: String {
    """
    usage: loopback-origin [--root DIR] [--plan FILE] [--rule LINE]... [--log FILE]
                           [--port N] [--port-file FILE] [--life SECONDS]
                           [--second-port N] [--second-port-file FILE] [--film NAME=BYTES]...
                           [--certificate FILE --key FILE [--http2]]

    Serves the files of DIR on 127.0.0.1. Prints the port, and on the next line the port of a
    second listener that serves the same and counts as another host.
    --film makes a file in DIR that looks like a film; same name and size, same bytes.
    With --certificate and --key, both PEM, the second listener speaks TLS.
    Both listeners speak HTTP/2 to clients that begin with it, without a length as chunked;
    a cut ends the stream by RST_STREAM without an error. --http2 offers it by TLS (ALPN).
    The log has one JSON line for each request, written when its answer ends, and
    one with "handshake" for each connection that came to no TLS.

    A rule is one line:  PATH-GLOB FAULT... [times N] [after N] [on range|whole|head]
    It counts the requests to each path that it matches ('*' stands for any text), leaves the
    first N alone (after), then acts on N of them (times; all, if not said). All rules that act
    on a request act together; where two set the same thing, the later rule wins. The same by
    the URL:  /a.mp4?fault=cut:300000&fault=etag-weak&times=1
    FAULT is a word with arguments behind colons, '%20' for a space. In rules @FIRST@ and
    @SECOND@ stand for host and port of the two listeners. A file NAME@2 beside NAME is its
    second version. Requests without a rule are answered correctly.


    """ + FaultWord.all.map(\.help).joined()
  }
}
