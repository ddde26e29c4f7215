#if os(Linux)
import Testing

@testable import APIKitCurl

/// How many requests to a host libcurl gets, after each event.
@Suite struct ConnectGateTests {
    private let start = ContinuousClock.now

    private func gate(mayUseHTTP2: Bool = true, connections: Int = 4) -> ConnectGate {
        ConnectGate(mayUseHTTP2: mayUseHTTP2, connectionLimit: connections)
    }

    /// Starts transfers until the gate refuses one, and returns their number.
    private func startAll(_ gate: inout ConnectGate) -> Int {
        var count = 0
        while gate.mayStart {
            gate.didStart()
            count += 1
        }
        return count
    }

    @Test func withoutHTTP2EachConnectionGetsATransfer() {
        var gate = gate(mayUseHTTP2: false)
        #expect(startAll(&gate) == 4)
        #expect(gate.raiseLimit(at: start) == nil)
        gate.didConnect()
        #expect(!gate.mayStart)
        gate.didEnd(hasConnected: true)
        #expect(startAll(&gate) == 1)
    }

    @Test func firstTransferConnectsAlone() {
        var gate = gate()
        #expect(startAll(&gate) == 1)
    }

    /// libcurl then makes the others wait for the connection itself.
    @Test func othersStartOnceTheFirstHasConnected() {
        var gate = gate()
        gate.didStart()
        gate.didConnect()
        #expect(!gate.limitsConnecting)
        #expect(startAll(&gate) == 3)
    }

    @Test func overHTTP2TransfersConnectOneAfterTheOther() {
        var gate = gate()
        gate.didRespond(overHTTP2: true)
        var count = 0
        while gate.mayStart {
            #expect(startAll(&gate) == 1)
            gate.didConnect()
            count += 1
        }
        #expect(count == 4 * ConnectGate.requestsPerConnection)
    }

    /// Later requests share its connection, even before the first one ends.
    @Test func responseOverHTTP2LetsOthersStart() {
        var gate = gate(connections: 1)
        gate.didStart()
        gate.didConnect()
        #expect(!gate.mayStart)
        gate.didRespond(overHTTP2: true)
        #expect(gate.mayStart)
    }

    /// libcurl then makes the others wait for the connections itself.
    @Test func responseOverHTTP1EndsTheLimitOfThoseThatConnect() {
        var gate = gate()
        gate.didRespond(overHTTP2: true)
        gate.didStart()
        gate.didConnect()
        gate.didStart()
        #expect(!gate.mayStart)
        gate.didRespond(overHTTP2: false)
        #expect(startAll(&gate) == 2)
    }

    /// What the last connection has shown may no longer be so.
    @Test(arguments: [false, true])
    func afterTheLastTransferOneConnectsAloneAgain(usesHTTP2: Bool) {
        var gate = gate()
        gate.didStart()
        gate.didConnect()
        gate.didRespond(overHTTP2: usesHTTP2)
        gate.didEnd(hasConnected: true)
        #expect(gate.activeCount == 0)
        #expect(startAll(&gate) == 1)
    }

    @Test func transferThatEndsBeforeItConnectsLetsAnotherOneConnect() {
        var gate = gate()
        gate.didStart()
        gate.didEnd(hasConnected: false)
        #expect(startAll(&gate) == 1)
    }

    @Test func waitDoublesTheNumberThatConnectAtOnce() {
        var gate = gate(connections: 6)
        var time = start
        for count in [1, 0, 1, 2, 2, 0] {
            #expect(startAll(&gate) == count)
            #expect(gate.raiseLimit(at: time) == time + ConnectGate.patience)
            #expect(gate.raiseLimit(at: time + .milliseconds(199)) == time + ConnectGate.patience)
            time += ConnectGate.patience
        }
    }

    @Test func connectionEndsTheWait() {
        var gate = gate()
        gate.didRespond(overHTTP2: true)
        #expect(startAll(&gate) == 1)
        gate.raiseLimit(at: start)
        gate.raiseLimit(at: start + ConnectGate.patience)
        #expect(startAll(&gate) == 1)
        gate.didConnect()
        // One is still connecting, and only one may do so again.
        #expect(!gate.mayStart)
        #expect(gate.raiseLimit(at: start + .seconds(10)) == start + .seconds(10) + ConnectGate.patience)
        #expect(!gate.mayStart)
    }

    @Test func waitForOtherReasonsRaisesNothing() {
        var gate = gate(connections: 1)
        #expect(gate.raiseLimit(at: start) == nil)
        gate.didStart()
        gate.didConnect()
        #expect(!gate.mayStart)
        #expect(gate.raiseLimit(at: start) == nil)
    }
}
#endif
