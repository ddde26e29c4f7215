import APIKitTesting
import TestSupport
import Testing

@testable import APIKitClients
@testable import APIKitCore

@Suite struct RecencyListTests {
    @Test func matchesAnArray() {
        var random = SplitMix64(state: 9)
        var list = RecencyList<Int>()
        var model: [(position: Int, value: Int)] = []
        for value in 0..<5_000 {
            switch (Int.random(in: 0..<4, using: &random), model.indices.randomElement(using: &random)) {
            case (0, let index?):
                let removed = model.remove(at: index)
                #expect(list.remove(removed.position) == removed.value)
                #expect(list.remove(removed.position) == nil)
            case (1, let index?):
                let used = model.remove(at: index)
                list.use(used.position)
                model.append(used)
            case (2, _?):
                if let oldest = list.oldest { #expect(list.remove(oldest) == model.removeFirst().value) }
            default:
                model.append((list.insert(value), value))
            }
            #expect(list.oldest == model.first?.position)
            #expect(model.allSatisfy { list.value(at: $0.position) == $0.value })
        }
    }
}
