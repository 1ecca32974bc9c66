import VmxModel

extension TransferSettings {
  /// Whether requests to an origin go through a proxy. Hosts that the environment exempts
  /// (`no_proxy`) count as well.
  func isProxied(_ origin: RequestURL.Origin) -> Bool {
    switch hosts.rules(host: origin.host, port: origin.port).proxy {
    case .none: false
    case .url: true
    case .environment: proxiedSchemes.contains(origin.scheme)
    }
  }
}
