import Testing
import VmxSystem

struct ChannelTests {
  @Test func `values come out in the order in which they went in`() {
    let channel = Channel<Int>(capacity: 3)
    for value in 1...3 { channel.send(value) }
    channel.close()
    #expect(
      [channel.receive(), channel.receive(), channel.receive(), channel.receive()] == [
        1, 2, 3, nil,
      ])
  }

  @Test func `a closed channel takes nothing more`() {
    let channel = Channel<Int>(capacity: 1)
    channel.close()
    #expect(!channel.send(1))
  }
}
