import Testing
import VmxModel

struct JSONWriterTests {
  @Test(
    arguments: [
      (.null, "null"), (true, "true"), (false, "false"), (.integer(.min), "-9223372036854775808"),
      (.unsigned(.max), "18446744073709551615"), (.double(0.1), "0.1"), (.double(1e21), "1e+21"),
      (.double(.leastNonzeroMagnitude), "5e-324"), (.double(3), "3.0"), (.double(.nan), "null"),
      (.double(-.infinity), "null"), (.array([]), "[]"),
      (.array([1, "a", .null]), "[1,\"a\",null]"),
      (.object(JSONObject()), "{}"), ("é/😀", "\"é/😀\""),
    ] as [(JSONValue, String)])
  func `values have one compact form`(value: JSONValue, text: String) {
    #expect(value.text == text)
  }

  @Test func `quotes, backslashes and control characters are escaped`() {
    let text: JSONValue = "\"\\\n\r\t\u{0}\u{1B}\u{7F}"
    #expect(text.text == #""\"\\\n\r\t\u0000\u001b\u007f""#)
  }

  @Test func `an object keeps the order of its keys, escaped too`() {
    var object = JSONObject()
    object["b"] = 1
    object["a\""] = .object(JSONObject(distinct: [("x", true)]))
    object["b"] = 2
    #expect(JSONValue.object(object).text == #"{"b":2,"a\"":{"x":true}}"#)
  }

  @Test func `a field set to nil is removed and equality compares the order`() {
    var object = JSONObject(distinct: [("a", 1), ("b", 2)])
    let other = JSONObject(distinct: [("b", 2), ("a", 1)])
    #expect(object != other)
    #expect(object.without(["a"]) == other.without(["a"]))
    object["a"] = nil
    object["c"] = nil
    #expect(object.fields.map(\.key) == ["b"])
    object.append("d", nil as String?)
    object.append("e", "x")
    #expect(object["e"] == "x")
    #expect(object.fields.count == 2)
  }

  @Test func `only the matching accessor returns a value`() {
    #expect(JSONValue.double(1).integer == nil)
    #expect(JSONValue.unsigned(.max).integer == nil)
    #expect(JSONValue.string("1").integer == nil)
    #expect(JSONValue.integer(1).bool == nil)
    #expect(JSONValue.null.string == nil)
  }
}
