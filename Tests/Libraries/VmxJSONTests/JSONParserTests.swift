import Testing
import VmxJSON
import VmxModel

struct JSONParserTests {
  let parser = JSONParser()

  @Test func `every kind of value is read, keys in their order`() throws {
    let text = #"{"z":null,"a":[true,false,-1,18446744073709551615,1.5e3],"s":"\u00e9/\"","o":{}}"#
    let value = try parser.parse(text)
    let expected = JSONObject(distinct: [
      ("z", .null),
      ("a", .array([true, false, -1, .unsigned(.max), .double(1500)])),
      ("s", "é/\""), ("o", .object(JSONObject())),
    ])
    #expect(value == .object(expected))
  }

  @Test func `values are read back as they were written`() throws {
    let text = #"{"a":[1,"x\n\\",{"b":[]},0.1,-9223372036854775808,"日本 \u007f"]}"#
    #expect(try parser.parse(try parser.parse(text).text) == parser.parse(text))
  }

  @Test(arguments: [
    ("", 0, "unexpected end of the text"),
    ("  ", 2, "unexpected end of the text"),
    ("{\"a\":1", 6, "unexpected end of the text"),
    ("{\"a\":1} x", 8, "trailing data after the value"),
    ("1 2", 2, "trailing data after the value"),
    ("{\"a\":1]", 6, "expected a key, a value, ',', ':' or a bracket"),
    ("{\"a\":nul}", 5, "expected a value"),
    ("\"a", 2, "unexpected end of the text"),
    ("\u{FEFF}{}", 0, "a byte order mark"),
    ("{\"a\":1,}", 7, "expected a key, a value, ',', ':' or a bracket"),
    ("{a:1}", 1, "expected a key, a value, ',', ':' or a bracket"),
    ("{\"a\" 1}", 5, "expected a key, a value, ',', ':' or a bracket"),
    ("[1 2]", 3, "expected a key, a value, ',', ':' or a bracket"),
    ("[1,]", 3, "expected a key, a value, ',', ':' or a bracket"),
    ("[tru]", 1, "expected a value"),
    ("[01]", 1, "a number that is malformed or out of range"),
    ("[1.]", 1, "a number that is malformed or out of range"),
    ("[-]", 1, "a number that is malformed or out of range"),
    ("[1e999]", 1, "a number that is malformed or out of range"),
    ("[123456789012345678901234567890]", 1, "a number that is malformed or out of range"),
    ("[\"\u{1}\"]", 2, "a control character in a string"),
    (#"["\x"]"#, 1, "an invalid escape"),
    (#"["\ud800x"]"#, 1, "an invalid escape"),
    (#"["\u0000"]"#, 1, "a NUL"),
    (#"{"a":1,"b":2,"a":3}"#, 13, "duplicate key 'a'"),
    (#"{"o":[{"k":1,"\u006b":2}]}"#, 13, "duplicate key '\u{5C}u006b'"),
  ])
  func `an error is reported with its position`(text: String, offset: Int, reason: String) {
    let expected = JSONSyntaxError(offset: offset, reason: reason)
    #expect(throws: expected) { try parser.parse(text) }
  }

  @Test func `bytes that are not UTF-8 are refused with their position`() {
    let expected = JSONSyntaxError(offset: 3, reason: "not UTF-8")
    #expect(throws: expected) { try parser.parse([0x5B, 0x22, 0x61, 0xFF, 0x22, 0x5D]) }
  }

  @Test func `a raw NUL is refused`() {
    let expected = JSONSyntaxError(offset: 2, reason: "a NUL")
    #expect(throws: expected) { try parser.parse([0x5B, 0x22, 0, 0x22, 0x5D]) }
  }

  @Test func `a duplicate key among a thousand is found`() {
    let keys = (0..<1000).map { #""k\#($0)":1"# }.joined(separator: ",")
    #expect(throws: Never.self) { try parser.parse("{\(keys)}") }
    #expect(throws: JSONSyntaxError.self) { try parser.parse("{\(keys),\"k17\":2}") }
  }

  @Test(arguments: [2, 8, 40, 64, 65, 130])
  func `similar keys are distinguished, whatever is between them`(count: Int) {
    // Keys of the same length, with the same beginning and end; then values of every kind.
    let keys = (0..<count).map { "alike-at-both-ends-\(1000 + $0)-indeed" } + ["", "a", "aa"]
    let values = ["1", "-1.5", "18446744073709551615", "\"a\"", "true", "null", "[[],{}]"]
    let inner = #"{"a":[{"a":1},{"":{"a":{}}}],"aa":"a"}"#
    let fields = keys.enumerated().map { place, key in
      "\"\(key)\":\((values + [inner])[place % (values.count + 1)])"
    }
    #expect(throws: Never.self) { try parser.parse("{\(fields.joined(separator: ","))}") }
    for key in keys {
      let text = "{\((fields + ["\"\(key)\":0"]).joined(separator: ","))}"
      let reason = "duplicate key '\(key)'"
      let expected = JSONSyntaxError(offset: text.utf8.count - key.utf8.count - 5, reason: reason)
      #expect(throws: expected) { try parser.parse(text) }
    }
  }

  @Test func `the same key in two objects is not a duplicate`() throws {
    #expect(throws: Never.self) {
      try parser.parse(#"{"a":{"a":[{"a":1},{"a":2}]},"b":{"a":1}}"#)
    }
  }

  @Test func `nesting of 512 is read, one level more is an error`() {
    let deep = { String(repeating: "[", count: $0) + String(repeating: "]", count: $0) }
    #expect(throws: Never.self) { try parser.parse(deep(512)) }
    let expected = JSONSyntaxError(offset: 512, reason: "nested more than 512 levels deep")
    for depth in [513, 514, 100_000] {
      #expect(throws: expected) { _ = try parser.parse(deep(depth)) }
    }
  }

  @Test func `a text of many megabytes is read`() throws {
    let long = String(repeating: "x", count: 5_000_000)
    #expect(try parser.parse("[\"\(long)\"]") == .array([.string(long)]))
  }

  @Test func `a parser continues after an error`() throws {
    #expect(throws: JSONSyntaxError.self) { try parser.parse("[") }
    #expect(try parser.parse("[1]") == .array([1]))
  }

  @Test func `random damage is never accepted as JSON`() throws {
    var random = SystemRandomNumberGenerator()
    let good = Array(#"{"a":[1,-2.5e3,true,null,"é\n\ud83d\ude00"],"b":{"c":{},"d":[]}}"#.utf8)
    for _ in 0..<20_000 {
      var bytes = good
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255)
      }
      do {
        _ = try parser.parse(bytes)
      } catch {
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(error.reason != "not JSON" && error.offset <= bytes.count, "\(text)")
      }
    }
  }
}
