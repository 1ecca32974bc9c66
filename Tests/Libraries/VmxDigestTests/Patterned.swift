/// Returns this many bytes that differ at neighbouring offsets, computed quickly in debug builds
/// too.
func patterned(_ count: Int) -> [UInt8] {
  var bytes: [UInt8] = []
  bytes.reserveCapacity(count)
  var value: UInt8 = 0
  while bytes.count < count {
    bytes += [UInt8](repeating: value, count: min(1021, count - bytes.count))
    value &+= 1
  }
  return bytes
}
