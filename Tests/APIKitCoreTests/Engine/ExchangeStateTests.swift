import APIKitTesting
import Foundation
import Testing

@testable import APIKitCore

/// Each transition of `ExchangeState.Phase`.
@Suite struct ExchangeStateTests {
    private typealias Phase = ExchangeState.Phase
    private struct Trouble: Error {}

    private let reporter = ProgressReporter { _ in }

    private func state(_ phase: Phase, hasProgress: Bool = false) throws -> ExchangeState {
        var state = ExchangeState(of: .scripted(), reporter: hasProgress ? reporter : nil)
        #expect(state.phase == .waiting)
        let begins = state.begin(Exchange.Transport(stop: {}, resume: nil))
        #expect(begins)
        switch phase {
        case .waiting: break
        case .collecting, .streaming, .writing: try receiveHead(&state, phase)
        case .complete:
            state = try self.state(.collecting, hasProgress: true)
            _ = state.finish()
        case .over: state.fail(Trouble())
        }
        #expect(state.phase == phase)
        _ = state.takeEffects()
        return state
    }

    private func receiveHead(_ state: inout ExchangeState, _ phase: Phase) throws {
        state.receive(
            HTTPResponse.Head(status: 200, url: HTTPRequest.scripted().url), total: nil, phase,
            file: phase == .writing ? try TemporaryFile() : nil, stream: phase == .streaming ? ByteStream([]) : nil)
    }

    /// The names of what follows from an event.
    private func effects(_ state: inout ExchangeState) -> [String] {
        state.takeEffects().map { effect in
            switch effect {
            case .resume: "resume"
            case .feed: "feed"
            case .report: "report"
            case .reportLast: "reportLast"
            case .stop: "stop"
            case .unpause: "unpause"
            case .release: "release"
            }
        }
    }

    @Test(arguments: [ExchangeState.Phase.collecting, .writing, .streaming])
    func headLeadsFromWaitingToWhereTheBodyGoes(phase: ExchangeState.Phase) throws {
        var state = try state(.waiting)
        #expect(!state.hasHead)
        try receiveHead(&state, phase)
        #expect(state.phase == phase)
        #expect(state.hasHead)
        #expect(!state.isOver)
    }

    @Test(arguments: [ExchangeState.Phase.collecting, .writing, .streaming, .complete, .over])
    func headIsIgnoredInAnyOtherPhase(phase: ExchangeState.Phase) throws {
        var state = try state(phase)
        try receiveHead(&state, phase == .collecting ? .streaming : .collecting)
        #expect(state.phase == phase)
        let following = effects(&state)
        #expect(following.isEmpty)
    }

    @Test(arguments: [ExchangeState.Phase.collecting, .writing, .streaming])
    func endLeadsToCompleteAndTheLastReportToOver(phase: ExchangeState.Phase) throws {
        var state = try state(phase, hasProgress: true)
        let hasHead = state.finish()
        #expect(hasHead)
        #expect(state.phase == .complete)
        #expect(state.isOver)
        let effects = state.takeEffects()
        let response = effects.compactMap { effect -> HTTPResponse? in
            if case .reportLast(_, _, let response) = effect { response } else { nil }
        }
        state.complete(try #require(response.first))
        #expect(state.phase == .over)
    }

    @Test(arguments: [ExchangeState.Phase.collecting, .writing, .streaming])
    func endLeadsToOverIfNobodyWantsReports(phase: ExchangeState.Phase) throws {
        var state = try state(phase)
        let hasHead = state.finish()
        #expect(hasHead)
        #expect(state.phase == .over)
        let following = effects(&state)
        #expect(following == ["release"])
    }

    @Test func endWithoutAHeadChangesNothing() throws {
        var state = try state(.waiting)
        let hasHead = state.finish()
        #expect(!hasHead)
        #expect(state.phase == .waiting)
        #expect(!state.isOver)
    }

    @Test(arguments: [ExchangeState.Phase.complete, .over]) func laterEndIsIgnored(phase: ExchangeState.Phase) throws {
        var state = try state(phase)
        let hasHead = state.finish()
        #expect(hasHead)
        #expect(state.phase == phase)
        let following = effects(&state)
        #expect(following.isEmpty)
    }

    @Test(arguments: [ExchangeState.Phase.waiting, .collecting, .writing, .streaming])
    func failureLeadsToOverAndStopsTheTransfer(phase: ExchangeState.Phase) throws {
        var state = try state(phase)
        state.fail(Trouble())
        #expect(state.phase == .over)
        let following = effects(&state)
        #expect(following.filter { $0 == "stop" }.count == 1)
        let begins = state.begin(Exchange.Transport(stop: {}, resume: nil))
        #expect(!begins)
    }

    @Test func onlyACancelFailsWhatIsComplete() throws {
        var state = try state(.complete)
        state.fail(Trouble())
        #expect(state.phase == .complete)
        state.fail(CancellationError())
        #expect(state.phase == .over)
        let following = effects(&state)
        #expect(!following.contains("stop"))
    }

    @Test func lastReportAfterACancelIsIgnored() throws {
        var state = try state(.complete)
        state.fail(CancellationError())
        state.complete(.status(200))
        #expect(state.phase == .over)
        let following = effects(&state)
        #expect(following.isEmpty)
    }

    @Test func everythingIsIgnoredOnceItIsOver() throws {
        var state = try state(.over)
        state.sent(total: 5)
        _ = state.receive(Data("abc".utf8))
        state.complete(.status(200))
        state.fail(CancellationError(), beforeSending: true)
        #expect(state.phase == .over)
        #expect(!state.isUnsent)
        let following = effects(&state)
        #expect(following.isEmpty)
    }

    @Test(arguments: [ExchangeState.Phase.waiting, .complete, .over])
    func bytesAreIgnoredWhereNoBodyIsExpected(phase: ExchangeState.Phase) throws {
        var state = try state(phase)
        guard case .stored = state.receive(Data("abc".utf8)) else {
            Issue.record("the bytes were taken")
            return
        }
        #expect(state.phase == phase)
        let following = effects(&state)
        #expect(following.isEmpty)
    }

    // MARK: - The file

    @Test func fileIsTakenOnce() throws {
        var state = try state(.writing)
        _ = state.finish()
        let files = [state.takeFile(), state.takeFile()]
        #expect(files[0] != nil)
        #expect(files[1] == nil)
    }

    @Test func failureReleasesTheFile() throws {
        var state = try state(.writing)
        state.fail(Trouble())
        let file = state.takeFile()
        #expect(file == nil)
    }
}
