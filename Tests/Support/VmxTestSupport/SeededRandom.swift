/// A random generator (SplitMix64) with a seed, so that failures can be reproduced.
package struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  /// Creates a generator.
  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns a text of hostile and ordinary characters of all planes.
  package mutating func text(upTo longest: Int) -> String {
    let hostile: [Unicode.Scalar] = [
      "\0", "\u{1B}", "/", "\\", ":", ".", "-", " ", "\"", "\n", "\u{202E}", "\u{301}", "%", "?",
    ]
    var text = ""
    for _ in 0..<Int.random(in: 0...longest, using: &self) {
      let scalar: Unicode.Scalar? =
        switch Int.random(in: 0..<6, using: &self) {
        case 0: hostile.randomElement(using: &self)
        case 1, 2: Unicode.Scalar(UInt8.random(in: 0x20..<0x7F, using: &self))
        case 3: Unicode.Scalar(UInt32.random(in: 0x80..<0x600, using: &self))
        case 4: Unicode.Scalar(UInt32.random(in: 0x1E00..<0x3100, using: &self))
        default: Unicode.Scalar(UInt32.random(in: 0..<0x11_0000, using: &self))
        }
      if let scalar { text.unicodeScalars.append(scalar) }
    }
    return text
  }
}
