import Testing

@Test func `the seed of this folder is replaced by its owner`() {
  #expect(Bool(true))
}
