import Testing
import VmxSystem

struct ChannelTests {
  @Test func `values are received in the order in which they were sent`() {
    let channel = Channel<Int>(capacity: 3)
    for value in 1...3 { channel.send(value) }
    channel.close()
    #expect(
      [channel.receive(), channel.receive(), channel.receive(), channel.receive()] == [
        1, 2, 3, nil,
      ])
  }

  @Test func `a closed channel accepts no more values`() {
    let channel = Channel<Int>(capacity: 1)
    channel.close()
    #expect(!channel.send(1))
  }
}
