import CCurl
import Glibc
import VmxModel
import VmxSettings
import VmxSystem

/// A libcurl easy handle and the memory that its request uses.
///
/// Used only on the loop's thread.
final class EasyHandle {
  let pointer: UnsafeMutableRawPointer
  /// The request and the receiver of its response.
  fileprivate private(set) var transfer: HTTPTransfer?
  /// The number in the queue for the common rate limit; nil while the request does not wait.
  var queuePosition: UInt64?
  fileprivate let limit: RateLimit
  /// A head with status 401 that libcurl may answer by sending user and password.
  private var denied: ResponseHead?
  /// The number of such heads of the request.
  private var denials = 0
  /// The coding of the body that libcurl decodes; nil for a body without one.
  fileprivate var coded: CodedBody?
  /// The proxy of the request as shown in messages, if a setting names it.
  private var redactedProxy: String?
  /// The maximum number of challenges of one request that libcurl answers: the first one, and the
  /// next two in case their nonces are stale.
  private static let answeredDenials = 3
  private let errorBuffer = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
  private var fields: UnsafeMutablePointer<curl_slist>?

  /// Creates a handle without a request; nil if libcurl has no memory.
  init?(_ limit: RateLimit) {
    guard let pointer = curl_easy_init() else { return nil }
    self.pointer = pointer
    self.limit = limit
    errorBuffer[0] = 0
  }

  deinit {
    curl_easy_cleanup(pointer)
    curl_slist_free_all(fields)
    errorBuffer.deallocate()
  }

  /// Sets the options of a request; known connections and names are kept.
  func prepare(for transfer: HTTPTransfer, _ settings: TransferSettings) {
    clear()
    self.transfer = transfer
    let request = transfer.request
    let context = Unmanaged.passUnretained(self).toOpaque()
    vmx_curl_set_receivers(pointer, receiveBody, receiveHeader, beginResponse, context)
    vmx_curl_set_opener(pointer, openSocket, context)
    vmx_curl_set_words(pointer, errorBuffer)
    // Only the trace shows the close_notify of TLS and the undecoded bytes. Without them, libcurl
    // reports some truncated bodies as complete.
    if request.url.origin.scheme == "https" || request.decodes {
      vmx_curl_set_trace(pointer, receiveTrace, context)
    }
    set(CURLOPT_URL, request.url.text)
    // vmx follows redirects itself because it checks their targets.
    set(CURLOPT_FOLLOWLOCATION, 0)
    set(CURLOPT_PROTOCOLS_STR, "http,https")
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    set(CURLOPT_CONNECTTIMEOUT_MS, Int(settings.connectTimeout))
    // While a transfer is paused, libcurl keeps everything to which one buffer decodes: up to 1032
    // times its size.
    set(CURLOPT_BUFFERSIZE, request.decodes ? 16_384 : settings.receiveBuffer)
    set(CURLOPT_TCP_KEEPALIVE, 1)
    let origin = request.url.origin
    let rules = settings.hosts.rules(host: origin.host, port: origin.port)
    apply(rules, mayUseNetrc: request.isOfSource, showsLastChunk: request.showsLastChunk)
    // Forces the proxy: a direct request to the host in spite of it would bypass the address check.
    if request.isProxied, !request.http.allowsPrivateAddresses { set(CURLOPT_NOPROXY, "") }
    if let credentials = request.http.credentials {
      set(CURLOPT_USERNAME, credentials.user)
      set(CURLOPT_PASSWORD, credentials.password)
      let schemes =
        switch request.authentication {
        case .basic: vmx_curl_auth_basic
        case .digest: vmx_curl_auth_digest
        case .challenged: vmx_curl_auth_basic | vmx_curl_auth_digest
        }
      set(CURLOPT_HTTPAUTH, schemes)
    }
    for cookie in request.cookies { set(CURLOPT_COOKIELIST, cookie) }
    let method = request.http.method
    if method != .get { set(CURLOPT_CUSTOMREQUEST, method.rawValue) }
    if let body = request.http.body {
      set(CURLOPT_POSTFIELDSIZE, body.bytes.count)
      body.bytes.withUnsafeBytes { body in
        let start = body.baseAddress?.assumingMemoryBound(to: CChar.self)
        vmx_curl_set_text(pointer, CURLOPT_COPYPOSTFIELDS, start)
      }
      if body.bytes.isEmpty { set(CURLOPT_COPYPOSTFIELDS, "") }
      // Without this, libcurl sends a large body only after asking the server, and waits a second
      // for the response.
      fields = curl_slist_append(fields, "Expect:")
      fields = curl_slist_append(fields, "Content-Type: \(body.type)")
    }
    // With a list of codings, libcurl decodes every coding, requested or not.
    if request.decodes { set(CURLOPT_ACCEPT_ENCODING, "identity") }
    for field in rules.headers + request.fields { fields = curl_slist_append(fields, field) }
    vmx_curl_set_headers(pointer, fields)
  }

  /// Removes the request but keeps connections.
  func clear() {
    curl_easy_reset(pointer)
    // A reset keeps the cookies of the file, which depend on hosts but not on ports.
    set(CURLOPT_COOKIELIST, "ALL")
    curl_slist_free_all(fields)
    fields = nil
    transfer = nil
    redactedProxy = nil
    coded = nil
    denied = nil
    denials = 0
    queuePosition = nil
    errorBuffer[0] = 0
  }

  /// Applies the rules of a host.
  ///
  /// - Parameters:
  ///   - mayUseNetrc: whether the host may receive user and password.
  ///   - showsLastChunk: whether to avoid HTTP/2 unless a setting requires it.
  private func apply(_ rules: HostRules, mayUseNetrc: Bool, showsLastChunk: Bool) {
    set(CURLOPT_USERAGENT, rules.userAgent)
    if let caFile = rules.caFile { set(CURLOPT_CAINFO, caFile) }
    // An empty name enables cookies without a file.
    set(CURLOPT_COOKIEFILE, rules.cookies ?? "")
    switch rules.proxy {
    case .environment: break
    // An empty string also overrides the environment.
    case .none: set(CURLOPT_PROXY, "")
    case .url(let proxy):
      set(CURLOPT_PROXY, proxy)
      redactedProxy = URLRedaction.redacted(proxy)
    }
    switch rules.httpVersion {
    case .auto where showsLastChunk: set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
    case .auto: set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
    case .one: set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
    case .two: set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE)
    }
    if let netrc = rules.netrc, mayUseNetrc {
      set(CURLOPT_NETRC, Int(CURL_NETRC_OPTIONAL.rawValue))
      set(CURLOPT_NETRC_FILE, netrc)
    }
  }

  /// Maps libcurl's code to the end of the request.
  ///
  /// libcurl reports a lack of descriptors as a failed name lookup or an unreadable certificate or
  /// netrc file. After such a failure this method checks whether a descriptor can be opened.
  func end(after code: CURLcode) -> RequestEnd {
    deliverDeniedHead()
    guard code != CURLE_OK else {
      guard let isWhole = coded?.isComplete else { return .complete }
      if isWhole { transfer?.markComplete() }
      return isWhole ? .complete : .codingCut
    }
    let needDescriptors = [
      CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT,
      CURLE_FAILED_INIT, CURLE_READ_ERROR, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CONNECT_ERROR,
      CURLE_PEER_FAILED_VERIFICATION,
    ]
    if needDescriptors.contains(code), let errno = descriptorShortage() { return .short(errno) }
    return .failed(failure(code))
  }

  /// The details of a failure as reported by libcurl.
  private func failure(_ code: CURLcode) -> CurlFailure {
    var errno = 0
    vmx_curl_get_long(pointer, CURLINFO_OS_ERRNO, &errno)
    let text = String(cString: errorBuffer)
    var failure = CurlFailure(
      code: code.rawValue, errno: Int32(truncatingIfNeeded: errno),
      message: text.isEmpty ? String(cString: curl_easy_strerror(code)) : text)
    var status = 0
    vmx_curl_get_long(pointer, CURLINFO_HTTP_CONNECTCODE, &status)
    if status == 407 { failure.denyingProxy = proxy }
    return failure
  }

  /// The proxy as shown in messages: its setting, or its address if the environment names it.
  private var proxy: String {
    if let redactedProxy { return redactedProxy }
    var (address, port): (UnsafePointer<CChar>?, Int) = (nil, 0)
    vmx_curl_get_text(pointer, CURLINFO_PRIMARY_IP, &address)
    vmx_curl_get_long(pointer, CURLINFO_PRIMARY_PORT, &port)
    return "\(address.map { String(cString: $0) } ?? ""):\(port)"
  }

  // This libcurl knows every option used here. A string that it cannot copy ends the request with
  // CURLE_OUT_OF_MEMORY anyway.
  private func set(_ option: CURLoption, _ value: Int) {
    vmx_curl_set_long(pointer, option, value)
  }

  private func set(_ option: CURLoption, _ value: String) {
    vmx_curl_set_text(pointer, option, value)
  }
}

// The head of a response, as parsed by libcurl.
extension EasyHandle {
  /// Receives one header line, including its line end; returns whether to continue.
  fileprivate func receive(header line: UnsafeRawBufferPointer) -> Bool {
    guard let transfer, transfer.receive(headerBytes: line.count) else { return false }
    // An empty line ends the head, but an informational response (1xx) is followed by another one.
    guard line.allSatisfy({ $0 == 0x0D || $0 == 0x0A }), transfer.head == nil else { return true }
    var status = 0
    vmx_curl_get_long(pointer, CURLINFO_RESPONSE_CODE, &status)
    guard status >= 200 else { return true }
    if status == 407, transfer.request.isProxied {
      transfer.setFailure(.failed(CurlFailure(code: 0, errno: 0, message: "", denyingProxy: proxy)))
      return false
    }
    let head = ResponseHead(version: httpVersion, status: status, fields: fields(CURLH_HEADER))
    if status == 401, transfer.request.http.credentials != nil,
      transfer.request.authentication != .basic
    {
      denied = head
      denials += 1
      // libcurl answers each stale nonce, without a limit.
      guard denials > Self.answeredDenials else { return true }
      deliverDeniedHead()
      return false
    }
    transfer.challenge(denied)
    denied = nil
    if transfer.request.decodes, let word = head.unknownCoding {
      transfer.setFailure(
        head.contentCoding == nil ? .codingMeaningless(word) : .codingUnknown(word))
      return false
    }
    if transfer.request.decodes, let codings = head.contentCoding {
      coded = CodedBody(head)
      guard CodedBody.decodes(codings, isChecked: true) else {
        transfer.setFailure(.codingUnknown(codings))
        return false
      }
    } else if head.hasFramedEnd {
      set(CURLOPT_VERBOSE, 0)
    }
    transfer.receive(head, cookies: RedirectPolicy.isRedirect(status) ? cookies : [])
    return true
  }

  /// Passes on a head that libcurl did not answer, since its body or its end follows.
  fileprivate func deliverDeniedHead() {
    if let denied { transfer?.receive(denied) }
    denied = nil
  }

  /// The fields after the body; empty for nearly all responses.
  var trailer: [ResponseHead.Field] { fields(CURLH_TRAILER) }

  private func fields(_ origin: Int32) -> [ResponseHead.Field] {
    var fields: [ResponseHead.Field] = []
    var header = curl_easy_nextheader(pointer, UInt32(origin), -1, nil)
    while let known = header {
      fields.append(
        ResponseHead.Field(
          name: String(cString: known.pointee.name).lowercased(),
          value: String(String(cString: known.pointee.value)[...].trimmed)))
      header = curl_easy_nextheader(pointer, UInt32(origin), -1, known)
    }
    return fields
  }

  /// The cookies that libcurl currently knows, in the format of Netscape's cookie files.
  private var cookies: [String] {
    var first: UnsafeMutablePointer<curl_slist>?
    vmx_curl_get_list(pointer, CURLINFO_COOKIELIST, &first)
    defer { curl_slist_free_all(first) }
    return sequence(first: first, next: { $0?.pointee.next }).compactMap { entry in
      entry?.pointee.data.map { String(cString: $0) }
    }
  }

  private var httpVersion: String {
    var version = 0
    vmx_curl_get_long(pointer, CURLINFO_HTTP_VERSION, &version)
    return switch version {
    case CURL_HTTP_VERSION_1_0: "1.0"
    case CURL_HTTP_VERSION_1_1: "1.1"
    case CURL_HTTP_VERSION_2_0: "2"
    default: "3"
    }
  }
}

private func handle(_ context: UnsafeMutableRawPointer?) -> EasyHandle? {
  context.map { Unmanaged<EasyHandle>.fromOpaque($0).takeUnretainedValue() }
}

private func transfer(_ context: UnsafeMutableRawPointer?) -> HTTPTransfer? {
  handle(context)?.transfer
}

private func receiveBody(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
  _ context: UnsafeMutableRawPointer?
) -> Int {
  guard let handle = handle(context), let transfer = handle.transfer else { return 0 }
  handle.deliverDeniedHead()
  let buffer = UnsafeRawBufferPointer(start: bytes, count: size * count)
  if !handle.limit.admits(now: Deadline.nowMilliseconds) {
    handle.queuePosition = handle.limit.nextQueuePosition()
    return vmx_curl_pause
  }
  switch transfer.receive(body: buffer) {
  case .accepted:
    handle.limit.consume(buffer.count)
    handle.coded?.decode(buffer.count)
    guard handle.coded?.isBomb == true else { return buffer.count }
    transfer.setFailure(
      .undecodable("it expands to more than \(CodedBody.highestRatio) times its size"))
    return 0
  case .pause: return vmx_curl_pause
  case .abort: return 0
  }
}

private func receiveHeader(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
  _ context: UnsafeMutableRawPointer?
) -> Int {
  let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
  return handle(context)?.receive(header: line) == true ? line.count : 0
}

/// Detects the close_notify alert, which the trace contains as a message of two bytes: its level
/// and its description, 0 (RFC 8446, section 6). Passes the bytes of a coded body on.
private func receiveTrace(
  _ easy: UnsafeMutableRawPointer?, _ kind: curl_infotype, _ bytes: UnsafeMutablePointer<CChar>?,
  _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int32 {
  if kind == CURLINFO_SSL_DATA_IN, count == 2, bytes?[1] == 0 {
    transfer(context)?.receiveCloseNotify()
  } else if kind == CURLINFO_DATA_IN {
    handle(context)?.coded?.receive(UnsafeRawBufferPointer(start: bytes, count: count))
  }
  return 0
}

private func beginResponse(
  _ context: UnsafeMutableRawPointer?, _ remote: UnsafeMutablePointer<CChar>?,
  _ local: UnsafeMutablePointer<CChar>?, _ remotePort: Int32, _ localPort: Int32
) -> Int32 {
  // libcurl also calls this for a connection that another request has opened.
  let address = remote.flatMap { AddressScope(text: String(cString: $0)) }
  let shouldContinue = transfer(context)?.connected(to: address) ?? false
  return shouldContinue ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
}

/// Creates a close-on-exec socket for a permitted address.
///
/// The check takes place here, after the name lookup, so that no DNS response leads to a forbidden
/// address.
private func openSocket(
  _ context: UnsafeMutableRawPointer?, _ purpose: curlsocktype,
  _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
  guard let transfer = transfer(context), let address,
    transfer.permits(vmx_curl_address(address).map { AddressScope($0) })
  else { return vmx_curl_no_socket }
  let kind = address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
  let descriptor = socket(address.pointee.family, kind, address.pointee.protocol)
  if descriptor < 0, [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) {
    transfer.recordSocketError(errno)
  }
  return descriptor
}

/// The errno of a lack of descriptors; nil if one can be opened.
private func descriptorShortage() -> Int32? {
  let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
  guard descriptor < 0 else {
    close(descriptor)
    return nil
  }
  return [EMFILE, ENFILE, ENOMEM].contains(errno) ? errno : nil
}
