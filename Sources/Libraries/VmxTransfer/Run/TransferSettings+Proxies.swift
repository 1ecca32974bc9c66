import VmxModel

extension TransferSettings {
  /// Whether a proxy is asked for what is at an origin. What the environment exempts (`no_proxy`)
  /// counts as asked by a proxy too.
  func isProxied(_ origin: RequestURL.Origin) -> Bool {
    switch hosts.rules(host: origin.host, port: origin.port).proxy {
    case .none: false
    case .url: true
    case .environment: proxiedSchemes.contains(origin.scheme)
    }
  }
}
