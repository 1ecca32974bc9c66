import CCrypt
package import VmxModel

/// A PIN that the user entered, wiped from memory when the object is freed.
///
/// It never appears in a message, a record or a log.
package final class PIN: Sendable {
  /// The accepted numbers of digits.
  package static let lengths = 4...12

  /// The digits in ASCII.
  let digits: [UInt8]

  /// Creates a PIN from ASCII digits.
  ///
  /// - Throws: `usage` unless the input is 4 to 12 digits and nothing else.
  package init(_ digits: [UInt8]) throws(Failure) {
    let isDigit = { (byte: UInt8) in (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    guard Self.lengths.contains(digits.count), digits.allSatisfy(isDigit) else {
      throw Failure(.usage, "a PIN has 4 to 12 digits", hint: "give digits only, without spaces")
    }
    self.digits = digits
  }

  deinit {
    digits.withUnsafeBytes { bytes in
      guard let start = UnsafeMutableRawPointer(mutating: bytes.baseAddress) else { return }
      vmx_crypt_wipe(start, bytes.count)
    }
  }

  /// Whether the PIN is easy to guess: a repeated digit, or an ascending or descending sequence.
  package var isWeak: Bool {
    let steps = Set(zip(digits, digits.dropFirst()).map { Int($1) - Int($0) })
    return steps.count == 1 && [-1, 0, 1].contains(steps.first)
  }
}

/// Hashes of a PIN by yescrypt (crypt(5)) with the default cost: about 50 ms and 17 MiB per hash.
///
/// An attacker who can read the hash finds four digits within minutes. The hash is therefore in a
/// file of mode 0600, and counted attempts limit guessing through vmx.
enum PINHash {
  /// The cost of new hashes according to crypt(5), 1 to 11; 0 is the default of libcrypt.
  static let cost: UInt = 0

  /// Hashes a PIN with a new salt.
  ///
  /// - Parameter text: text that the hash covers in addition to the PIN.
  /// - Throws: `resources-short` if memory or random bytes are missing.
  static func make(
    _ pin: PIN, and text: String = "", cost: UInt = cost
  ) throws(Failure) -> String {
    guard let setting = setting(cost), let hash = hash(pin, text: text, setting: setting) else {
      throw Failure(.resourcesShort, "cannot hash the PIN: no memory or no random bytes")
    }
    return String(decoding: hash, as: UTF8.self)
  }

  /// Returns whether a hash was made with a lower cost. False for a hash of another method.
  static func isCheaper(_ stored: String, than cost: UInt) -> Bool {
    // "$y$j9T$": the method, its variant, the binary logarithm of the memory in ascending ASCII,
    // the block size.
    let index = 4
    guard let setting = setting(cost) else { return false }
    let new = setting.prefix(index + 3).map { UInt8(bitPattern: $0) }
    let old = Array(stored.utf8.prefix(index + 3))
    guard old.count == new.count, old[..<index] == new[..<index],
      old[(index + 1)...] == new[(index + 1)...]
    else { return false }
    return old[index] < new[index]
  }

  private static func setting(_ cost: UInt) -> [CChar]? {
    var setting = [CChar](repeating: 0, count: Int(vmx_crypt_setting_size))
    return vmx_crypt_setting(cost, &setting) == 0 ? setting : nil
  }

  /// Returns whether a PIN matches a hash. The comparison takes constant time.
  ///
  /// - Throws: `resources-short` without memory, or if libcrypt does not know the hash method.
  static func matches(_ pin: PIN, and text: String = "", _ stored: String) throws(Failure) -> Bool {
    let setting = Array(stored.utf8).map { CChar(bitPattern: $0) } + [0]
    guard let hash = hash(pin, text: text, setting: setting) else {
      throw Failure(
        .resourcesShort, "cannot check the PIN: no memory, or unknown hash method")
    }
    return areEqual(hash, Array(stored.utf8))
  }

  /// Returns whether two texts are equal. Compares all bytes of the longer one, so that the
  /// duration does not reveal the first difference.
  static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    var difference = left.count ^ right.count
    for index in 0..<max(left.count, right.count) {
      let one = index < left.count ? left[index] : 0
      let other = index < right.count ? right[index] : 0
      difference |= Int(one ^ other)
    }
    return difference == 0
  }

  private static func hash(_ pin: PIN, text: String, setting: [CChar]) -> [UInt8]? {
    var phrase = pin.digits
    if !text.isEmpty { phrase += [UInt8(ascii: "\n")] + text.utf8 }
    guard phrase.count <= Int(vmx_crypt_longest), !phrase.contains(0) else { return nil }
    var terminated = phrase.map { CChar(bitPattern: $0) } + [0]
    defer {
      vmx_crypt_wipe(&phrase, phrase.count)
      vmx_crypt_wipe(&terminated, terminated.count)
    }
    var made = [CChar](repeating: 0, count: Int(vmx_crypt_size))
    guard vmx_crypt_hash(terminated, setting, &made) == 0 else { return nil }
    return made.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
  }
}
