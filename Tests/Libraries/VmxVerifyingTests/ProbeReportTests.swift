@testable import VmxVerifying
import Testing
import VmxModel

struct ProbeReportTests {
  private let name = "file:/dev/fd/0"

  private func report(_ output: String, status: Int32 = 0, _ errors: String = "") -> ProbeReport {
    ProbeReport(
      status: status, output: Array(output.utf8), errors: Array(errors.utf8), name: name)
  }

  private func streams(_ streams: String, format: String = "{}") -> ProbeReport {
    report(#"{"programs":[],"streams":[\#(streams)],"format":\#(format)}"#)
  }

  @Test func `the duration of a track is used first`() {
    let found = streams(
      #"{"codec_type":"video","duration":"3723.040000"},{"codec_type":"audio","duration":"3.1"}"#,
      format: #"{"duration":"9.0","format_name":"mov,mp4,m4a,3gp,3g2,mj2"}"#)
    #expect(found == .tracks([MediaTrack(.video, 3_723_040), MediaTrack(.audio, 3100)]))
  }

  @Test(arguments: ["DURATION", "DURATION-eng"])
  func `then its tag is used`(tag: String) {
    let found = streams(
      #"{"codec_type":"video","tags":{"\#(tag)":"00:00:03.023000000"}}"#,
      format: #"{"duration":"9.0"}"#)
    #expect(found == .tracks([MediaTrack(.video, 3023)]))
  }

  @Test(arguments: [
    "", #","duration":"N/A""#, #","duration":"0.000000""#, #","duration":"-5""#,
    #","duration":"nan""#, #","duration":3"#, #","duration":null"#,
    #","duration":"99999999999999999999999""#, #","tags":{"DURATION":"soon"}"#, #","tags":[]"#,
  ])
  func `then the duration of the container is used`(fields: String) {
    let found = streams(#"{"codec_type":"audio"\#(fields)}"#, format: #"{"duration":"9.5"}"#)
    #expect(found == .tracks([MediaTrack(.audio, 9500)]))
  }

  @Test(arguments: ["{}", "null", "[]", #"{"duration":"N/A"}"#])
  func `without any the duration is unknown`(format: String) {
    #expect(
      streams(#"{"codec_type":"video"}"#, format: format) == .tracks([MediaTrack(.video, nil)]))
  }

  @Test func `an estimate of a format without times is ignored`() {
    let found = streams(
      #"{"codec_type":"video","duration":"5.0"}"#,
      format: #"{"format_name":"mpegvideo","duration":"5.0"}"#)
    #expect(found == .tracks([MediaTrack(.video, nil)]))
  }

  @Test func `images, subtitles, data and invalid streams are not tracks`() {
    let found = streams(
      #"{"codec_type":"video","duration":"5","disposition":{"attached_pic":1}},"#
        + #"{"codec_type":"subtitle","duration":"5"},{"codec_type":"data"},{},7,null,"#
        + #"{"codec_type":5},{"codec_type":"video","duration":"6","disposition":{"attached_pic":0}}"#
    )
    #expect(found == .tracks([MediaTrack(.video, 6000)]))
  }

  @Test func `an output without streams has no tracks`() {
    #expect(streams("") == .tracks([]))
  }

  @Test(arguments: [-1_094_995_529, -541_478_725, -22] as [Int64])
  func `bytes that are not a video are reported with the first message`(code: Int64) {
    let found = report(
      #"{"error":{"code":\#(code),"string":"Invalid data found"}}"#, status: 1,
      """
      [in#0 @ 0x55d0c0ffee00] [mov,mp4,m4a,3gp,3g2,mj2 @ 0x7f00] moov atom\u{1B}[31m not\u{202E} found
      file:/dev/fd/0: Invalid data found when processing input
      """)
    #expect(found == .unreadable("moov atom[31m not found"))
  }

  @Test(arguments: [
    ("file:/dev/fd/0: Invalid data\n", "Invalid data"), ("\n \r\n\u{7}\n[x] y\n", "[x] y"),
    ("", "from the JSON"), (String(repeating: "a", count: 300), String(repeating: "a", count: 160)),
  ])
  func `a message is one clean line without our file name`(errors: String, words: String) {
    let found = report(
      #"{"error":{"code":-22,"string":"from the JSON"}}"#, status: 1, errors)
    #expect(found == .unreadable(words))
  }

  @Test(arguments: [-2, -5, -12, -13, -1_163_346_256, 0, 7] as [Int64])
  func `a failure of the system or of ffprobe proves nothing about the bytes`(code: Int64) {
    let found = report(#"{"error":{"code":\#(code),"string":"No room"}}"#, status: 1)
    #expect(found == .none("could not read it: No room"))
  }

  @Test(
    arguments: [
      ("", 1, "Option not found", "exited with status 1: Option not found"),
      ("", 0, "", "printed no JSON"), ("[]", 0, "", "printed no JSON"),
      ("{}{}", 0, "", "printed no JSON"), ("{", 127, "", "exited with status 127"),
      ("{}", 0, "", "listed no tracks"), (#"{"streams":{}}"#, 0, "x", "listed no tracks: x"),
      (#"{"streams":[]}"#, 1, "", "exited with status 1"),
      (#"{"streams":[],"streams":[]}"#, 0, "", "printed no JSON"),
      (#"{"error":{}}"#, 1, "", "could not read it: no reason given"),
    ] as [(String, Int32, String, String)])
  func `a failed run has no result`(output: String, status: Int32, errors: String, words: String) {
    #expect(report(output, status: status, errors) == .none(words))
  }
}
