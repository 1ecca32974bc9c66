import Testing
import VmxModel
import VmxSettings
import VmxSyncing

struct AllowedOrdersTests {
  @Test func `the setting accepts exactly the kinds of orders`() throws {
    let names = BackendInstruction.Kind.allCases.map(\.rawValue)
    #expect(SettingKey.reportOrders.entry.kind == .someOf(names))
    var settings = Settings()
    try settings.add(parameter: "report.orders=remove, fetch-again")
    #expect(try settings.allowedOrders().map(\.rawValue).sorted() == ["fetch-again", "remove"])
    try settings.add(parameter: "report.orders=none")
    #expect(try settings.allowedOrders().isEmpty)
    try settings.add(parameter: "report.orders=erase")
    #expect(throws: Failure.self) { try settings.allowedOrders() }
  }
}
