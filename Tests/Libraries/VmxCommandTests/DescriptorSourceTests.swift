import SystemPackage
import Testing

@testable import VmxCommand

@Suite struct DescriptorSourceTests {
  @Test func `bytes that wait in a pipe are seen and stay`() throws {
    let ends = try FileDescriptor.pipe()
    defer { try? ends.readEnd.close() }
    let source = DescriptorSource(ends.readEnd.rawValue)
    #expect(!source.hasWaitingBytes)
    #expect(!source.arrives(within: 0))
    try ends.writeEnd.writeAll("a/b\n".utf8)
    #expect(source.hasWaitingBytes)
    #expect(source.arrives(within: 0))
    #expect(try source.read() == Array("a/b\n".utf8))
    try ends.writeEnd.close()
    #expect(!source.hasWaitingBytes)
    #expect(source.arrives(within: 0))
  }

  @Test func `a file is no pipe with bytes that wait`() throws {
    let file = try FileDescriptor.open("/proc/self/status", .readOnly)
    defer { try? file.close() }
    #expect(!DescriptorSource(file.rawValue).hasWaitingBytes)
    #expect(DescriptorSource(file.rawValue).arrives(within: 0))
  }
}
