import Foundation
import Testing

@testable import APIKitCore

/// What each event means in each phase of an exchange.
@Suite struct ExchangeStateTests {
    enum Phase: CaseIterable, Sendable { case waiting, receiving, complete, ended }
    enum Event: CaseIterable, Sendable { case begin, head, piece, end, lastReport, failure, cancel }
    struct Failure: Error {}

    /// What an event leads to.
    struct Row: Sendable, CustomTestStringConvertible {
        let phase: Phase
        let event: Event
        let next: Phase
        let effects: [String]

        init(_ phase: Phase, _ event: Event, to next: Phase, effects: [String] = []) {
            self.phase = phase
            self.event = event
            self.next = next
            self.effects = effects
        }

        var testDescription: String { "\(event) while \(phase)" }
    }

    /// The events that count, for an exchange that reports progress and collects its body. The engine has begun, and
    /// no caller waits.
    private static let rows: [Row] = [
        Row(.waiting, .begin, to: .waiting),
        Row(.waiting, .head, to: .receiving, effects: ["report"]),
        Row(.waiting, .end, to: .ended, effects: ["stop", "release", "release"]),
        Row(.waiting, .failure, to: .ended, effects: ["stop", "release", "release"]),
        Row(.waiting, .cancel, to: .ended, effects: ["stop", "release", "release"]),
        Row(.receiving, .begin, to: .receiving),
        Row(.receiving, .piece, to: .receiving, effects: ["report"]),
        Row(.receiving, .end, to: .complete, effects: ["release", "reportLast"]),
        Row(.receiving, .failure, to: .ended, effects: ["stop", "release", "release"]),
        Row(.receiving, .cancel, to: .ended, effects: ["stop", "release", "release"]),
        Row(.complete, .lastReport, to: .ended),
        Row(.complete, .cancel, to: .ended),
    ]

    @Test(arguments: rows) func eventsChangeThePhase(row: Row) {
        var state = Self.state(in: row.phase)
        Self.apply(row.event, to: &state)
        let effects = state.takeEffects().map(Self.name)
        #expect(Self.phase(of: state) == row.next)
        #expect(effects == row.effects)
        let delivery = state.takeResponse()
        let isDelivered = row.phase == .complete && row.event == .lastReport
        #expect((delivery != nil) == isDelivered)
    }

    @Test(arguments: Phase.allCases, Event.allCases)
    func otherEventsAreIgnored(phase: Phase, event: Event) {
        let isInTable = Self.rows.contains { $0.phase == phase && $0.event == event }
        if isInTable { return }
        var state = Self.state(in: phase)
        Self.apply(event, to: &state)
        let effects = state.takeEffects().map(Self.name)
        #expect(Self.phase(of: state) == phase)
        #expect(effects.isEmpty)
    }

    // MARK: - Streams

    /// The caller of a stream that it has not waited for yet gets the stream, whatever ends it, except its own cancel.
    @Test(arguments: [Event.end, .failure, .cancel]) func streamThatEndsBeforeTheCallerWaits(event: Event) {
        let isDelivered = event != .cancel
        var state = Self.state(in: .waiting, hasProgress: false)
        state.receive(Self.response(.stream(StreamedBody(limit: 10))))
        Self.apply(.piece, to: &state)
        Self.apply(event, to: &state)
        let delivery = state.takeResponse()
        #expect((delivery != nil) == isDelivered)
        #expect(delivery?.timing.finished == nil)
        let reads = [Self.read(&state), Self.read(&state)]
        if isDelivered { #expect(reads == ["abc", event == .end ? "end" : "Failure"]) }
    }

    @Test func completeResponseIsTakenOnce() {
        var state = Self.state(in: .receiving, hasProgress: false)
        let early = state.takeResponse()
        state.finish()
        let first = state.takeResponse()
        let second = state.takeResponse()
        #expect(early?.head == nil)
        #expect(first?.head.status == 200)
        #expect(second?.head == nil)
        #expect(state.isOver && state.hasHead)
    }

    // MARK: - Memory

    /// A piece is appended to the buffer of those before it: nothing else refers to that buffer, so it is not copied.
    @Test func piecesAreAppendedInPlace() {
        let count = 1_000_000
        var state = Self.state(in: .waiting, hasProgress: false)
        let part = ExchangeState.Part(total: 4 * count)
        state.receive(Self.response(part: part, .memory(LimitedBody(limit: .max))))
        var addresses: [UnsafeRawPointer?] = []
        for _ in 0..<4 {
            _ = state.receive(Data(count: count))
            guard case .receiving(let response, _) = state.phase, case .memory(let body) = response.body else { break }
            body.data.withUnsafeBytes { addresses.append($0.baseAddress) }
        }
        #expect(addresses.count == 4)
        #expect(Set(addresses).count == 1)
    }

    // MARK: - Helpers

    private static func state(in phase: Phase, hasProgress: Bool = true) -> ExchangeState {
        let request = HTTPRequest(url: URL(string: "https://api.example.com/things")!)
        let call = Call(progress: hasProgress ? .anywhere { _ in } : nil)
        var state = ExchangeState(of: request, in: call, runningTime: nil)
        _ = state.begin(Exchange.Transport(stop: {}, resume: {}))
        if phase == .waiting { return state }
        state.receive(response(.memory(LimitedBody(limit: 10))))
        if phase != .receiving { state.finish() }
        if phase == .ended { state.complete() }
        _ = state.takeEffects()
        return state
    }

    private static func response(
        part: ExchangeState.Part = .unknown, _ body: ExchangeState.Body
    ) -> ExchangeState.Response {
        let head = HTTPResponse.Head(status: 200, url: URL(string: "https://api.example.com/things")!)
        return ExchangeState.Response(head: head, part: part, body: body)
    }

    private static func apply(_ event: Event, to state: inout ExchangeState) {
        switch event {
        case .begin: _ = state.begin(Exchange.Transport(stop: {}, resume: nil))
        case .head: state.receive(response(.memory(LimitedBody(limit: 10))))
        case .piece: _ = state.receive(Data("abc".utf8))
        case .end: state.finish()
        case .lastReport: state.complete()
        case .failure: state.fail(Failure(), isUnsent: false)
        case .cancel: state.fail(CancellationError(), isUnsent: false)
        }
    }

    private static func phase(of state: ExchangeState) -> Phase {
        switch state.phase {
        case .waiting: .waiting
        case .receiving: .receiving
        case .complete: .complete
        case .ended: .ended
        }
    }

    private static func name(_ effect: ExchangeState.Effect) -> String {
        switch effect {
        case .resumeCaller: "resumeCaller"
        case .resumeReader: "resumeReader"
        case .resumeFeeder: "resumeFeeder"
        case .report: "report"
        case .reportLast: "reportLast"
        case .stop: "stop"
        case .unpause: "unpause"
        case .releaseTransport, .release: "release"
        }
    }

    /// What a reader of the stream gets: a piece as text, the end, or the name of an error.
    private static func read(_ state: inout ExchangeState) -> String {
        switch state.takePiece() {
        case .nothingYet: "nothing"
        case .result(.success(let piece?)): String(decoding: piece, as: UTF8.self)
        case .result(.success(nil)): "end"
        case .result(.failure(let error)): "\(type(of: error))"
        }
    }
}
