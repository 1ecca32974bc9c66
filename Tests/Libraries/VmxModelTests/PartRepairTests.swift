import Testing
import VmxModel

struct PartRepairTests {
  private func part(
    _ state: PartState, resume: PartState? = nil, isNamed: Bool = true, isReplacing: Bool = false
  ) -> Part {
    var part = Part(role: .video, variants: [])
    (part.state, part.resumeState) = (state, resume)
    if isNamed { part.path = "Show/Show - Title.mp4" }
    let digest = Digest(.sha256, bytes: [UInt8](repeating: 1, count: 32))
    if isReplacing, let digest {
      part.repairs = DamagedFile(
        sha256: digest, size: ByteCount(clamping: 10), inode: 7, damagedSize: 3, modified: 9)
    }
    return part
  }

  @Test(arguments: [PartState.queued, .probed, .partial, .complete, .missing])
  func `a file that is fetched again is missing until it is published`(_ state: PartState) {
    #expect(part(state).isMissing)
    #expect(part(.waiting, resume: state).isMissing)
    #expect(part(.failed, resume: state).isMissing)
    #expect(part(.failed, resume: state).isToBeRepaired)
    #expect(!part(.failed, resume: state).isDamaged)
  }

  @Test(arguments: [PartState.queued, .probed, .partial, .complete, .checked])
  func `a file that is being replaced is damaged until it is published`(_ state: PartState) {
    #expect(part(state, isReplacing: true).isDamaged)
    #expect(part(.waiting, resume: state, isReplacing: true).isDamaged)
    #expect(!part(.failed, resume: state, isReplacing: true).isMissing)
  }

  @Test func `a stopped part of a record without the state to resume from is missing`() {
    #expect(part(.failed).isMissing)
    #expect(!part(.failed, isNamed: false).isMissing)
  }

  @Test(arguments: PartState.allCases)
  func `a part without a published file is not to be repaired`(_ state: PartState) {
    let isKnown = state == .missing || state == .damaged
    #expect(part(state, isNamed: false).isToBeRepaired == isKnown)
  }

  @Test(arguments: [PartState.ready, .new, .checked, .expired, .revoked, .removing, .removed])
  func `a part that has its file or loses it on purpose is not to be repaired`(_ state: PartState) {
    #expect(!part(state).isToBeRepaired)
    if state == .ready || state.isBeingRemoved {
      #expect(!part(state, isReplacing: true).isToBeRepaired)
    }
  }
}
