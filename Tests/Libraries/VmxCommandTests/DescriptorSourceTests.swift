import Glibc
import Synchronization
import SystemPackage
import Testing

@testable import VmxCommand

@Suite struct DescriptorSourceTests {
  @Test func `pending bytes in a pipe are detected and not consumed`() throws {
    let ends = try FileDescriptor.pipe()
    defer { try? ends.readEnd.close() }
    let source = DescriptorSource(ends.readEnd.rawValue)
    #expect(!source.hasWaitingBytes)
    #expect(!source.isReady(within: 0))
    try ends.writeEnd.writeAll("a/b\n".utf8)
    #expect(source.hasWaitingBytes)
    #expect(source.isReady(within: 0))
    #expect(try source.read() == Array("a/b\n".utf8))
    try ends.writeEnd.close()
    #expect(!source.hasWaitingBytes)
    #expect(source.isReady(within: 0))
  }

  @Test func `a pipe is open until its last writer has closed it`() throws {
    let ends = try FileDescriptor.pipe()
    defer { try? ends.readEnd.close() }
    let source = DescriptorSource(ends.readEnd.rawValue)
    #expect(source.isOpenPipe)
    try ends.writeEnd.close()
    #expect(!source.isOpenPipe)
  }

  @Test func `a regular file has no pending pipe bytes`() throws {
    let file = try FileDescriptor.open("/proc/self/status", .readOnly)
    defer { try? file.close() }
    #expect(!DescriptorSource(file.rawValue).hasWaitingBytes)
    #expect(!DescriptorSource(file.rawValue).isOpenPipe)
    #expect(DescriptorSource(file.rawValue).isReady(within: 0))
  }

  // Regression: a signal that ended a wait near its limit was taken for available bytes.
  @Test func `a signal during a wait does not count as pending bytes`() throws {
    let ends = try FileDescriptor.pipe()
    defer { try? ends.writeEnd.close() }
    defer { try? ends.readEnd.close() }
    let source = DescriptorSource(ends.readEnd.rawValue)
    signal(SIGUSR2) { _ in }
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGUSR2)
    var before = sigset_t()
    pthread_sigmask(SIG_UNBLOCK, &signals, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let sender = SignalSender(to: pthread_self())
    let seen = (0..<200).count { _ in source.isReady(within: 2) }
    sender.end()
    #expect(seen == 0)
  }
}

/// Sends a signal to a thread repeatedly until stopped.
private final class SignalSender: @unchecked Sendable {
  private let target: pthread_t
  private let hasEnded = Atomic(false)
  private var thread = pthread_t()

  init(to target: pthread_t) {
    self.target = target
    pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        let sender = Unmanaged<SignalSender>.fromOpaque(context).takeRetainedValue()
        while !sender.hasEnded.load(ordering: .relaxed) {
          pthread_kill(sender.target, SIGUSR2)
          usleep(100)
        }
        return nil
      }, Unmanaged.passRetained(self).toOpaque())
  }

  func end() {
    hasEnded.store(true, ordering: .relaxed)
    pthread_join(thread, nil)
  }
}
