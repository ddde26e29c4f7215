import APIKitTesting
import Foundation
import Testing

@testable import APIKitCore

/// Each transition of `ExchangeState.Phase`.
@Suite struct ExchangeStateTests {
    typealias Phase = ExchangeState.Phase
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
            case .demand: "demand"
            case .report: "report"
            case .reportLast: "reportLast"
            case .stop: "stop"
            case .unpause: "unpause"
            case .release: "release"
            }
        }
    }

    @Test(arguments: [Phase.collecting, .writing, .streaming])
    func headLeadsFromWaitingToWhereTheBodyGoes(phase: Phase) throws {
        var state = try state(.waiting)
        #expect(!state.hasHead)
        try receiveHead(&state, phase)
        #expect(state.phase == phase)
        #expect(state.hasHead)
        #expect(!state.isOver)
    }

    @Test(arguments: [Phase.collecting, .writing, .streaming])
    func endLeadsToCompleteAndTheLastReportToOver(phase: Phase) throws {
        var state = try state(phase, hasProgress: true)
        let hasHead = state.finish()
        #expect(hasHead)
        #expect(state.phase == .complete)
        #expect(state.isOver)
        for case .reportLast(_, _, let response) in state.takeEffects() { state.complete(response) }
        #expect(state.phase == .over)

        // Nobody wants reports.
        var silent = try self.state(phase)
        let hasHeadToo = silent.finish()
        #expect(hasHeadToo)
        #expect(silent.phase == .over)
        let following = effects(&silent)
        #expect(following == ["release"])
    }

    @Test func endWithoutAHeadChangesNothing() throws {
        var state = try state(.waiting)
        let hasHead = state.finish()
        #expect(!hasHead)
        #expect(state.phase == .waiting)
        #expect(!state.isOver)
    }

    @Test(arguments: [Phase.waiting, .collecting, .writing, .streaming])
    func failureLeadsToOverStopsTheTransferAndReleasesTheFile(phase: Phase) throws {
        var state = try state(phase)
        state.fail(Trouble())
        #expect(state.phase == .over)
        let following = effects(&state)
        #expect(following.filter { $0 == "stop" }.count == 1)
        let begins = state.begin(Exchange.Transport(stop: {}, resume: nil))
        #expect(!begins)
        let file = state.takeFile()
        #expect(file == nil)
    }

    @Test func onlyACancelFailsWhatIsComplete() throws {
        var state = try state(.complete)
        state.fail(Trouble())
        #expect(state.phase == .complete)
        state.fail(CancellationError())
        #expect(state.phase == .over)
        // The last report comes too late.
        state.complete(.status(200))
        #expect(state.phase == .over)
        let following = effects(&state)
        #expect(following.isEmpty)
    }

    enum Event { case head, end, bytes, sent, lastReport, cancel }

    @Test(arguments: [
        (Event.head, [Phase.collecting, .writing, .streaming, .complete, .over]), (.end, [.complete, .over]),
        (.bytes, [.waiting, .complete, .over]), (.sent, [.over]), (.lastReport, [.over]), (.cancel, [.over]),
    ]) func eventsAreIgnoredWhereTheyChangeNothing(event: Event, phases: [Phase]) throws {
        for phase in phases {
            var state = try state(phase)
            var isExpected = true
            switch event {
            case .head: try receiveHead(&state, phase == .collecting ? .streaming : .collecting)
            case .end: isExpected = state.finish()
            case .bytes: if case .stored = state.receive(Data("abc".utf8)) {} else { isExpected = false }
            case .sent: state.sent(total: 5)
            case .lastReport: state.complete(.status(200))
            case .cancel: state.fail(CancellationError(), beforeSending: true)
            }
            #expect(isExpected)
            #expect(state.phase == phase)
            #expect(!state.isUnsent)
            let following = effects(&state)
            #expect(following.isEmpty)
        }
    }

    @Test func fileIsTakenOnce() throws {
        var state = try state(.writing)
        _ = state.finish()
        let files = [state.takeFile(), state.takeFile()]
        #expect(files.map { $0 != nil } == [true, false])
    }
}
