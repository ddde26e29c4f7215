import APIDescription
import APIKitCore
import Testing

@Suite struct ChangedDescriptionTests {
    @Test func endpointsAreAsDescribed() throws {
        let shop = try Shop.description()
        for endpoint in Shop.endpoints { #expect(shop.problems(with: endpoint) == []) }
        #expect(shop.coverageProblems(of: Shop.endpoints) == [])
    }

    @Test(arguments: Change.all)
    func findsAndNamesASingleChange(_ change: Change) throws {
        #expect(Shop.text.ranges(of: change.old).count == 1, "the change is not unique")
        let shop = try Shop.description(replacing: change.old, by: change.new)
        #expect(Shop.endpoints.flatMap { shop.problems(with: $0) }.map(\.description) == change.problems)
    }
}
