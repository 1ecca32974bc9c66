import VmxModel
package import VmxSystem

extension ReportDelivery {
  /// Milliseconds between two deliveries beside other work.
  private static let interval: Int64 = 10_000

  /// Starts to tell the backend of steps beside other work, and of the last ones at its end. Events
  /// that cannot be told then stay recorded.
  ///
  /// - Returns: the task, whose output is what all deliveries came to; its failure is that of the store.
  /// - Throws: `ProcessError.noThread`, code `resources-short`.
  package func besideOtherWork() throws(ProcessError) -> SideTask<Outcome> {
    try SideTask("vmx-report", of: Outcome()) { task in
      var isLast = false
      repeat {
        isLast = task.isEnding
        deliver(task)
        if !isLast { task.pause(milliseconds: Self.interval) }
      } while !isLast
    }
  }

  private func deliver(_ task: SideTask<Outcome>.Control) {
    do {
      let outcome = try deliver(while: { task.mayGoOn })
      task.update { sum in
        sum.told += outcome.told
        sum.unread += outcome.unread
        sum.left = outcome.left
        // The pause that follows a failure tells nothing new.
        if outcome.failure?.code != .reportWaits { sum.failure = outcome.failure }
      }
      task.fail(nil)
    } catch {
      task.fail(error.isInterruption ? nil : Failure(error))
    }
  }
}
