import APIKitCore
import APIKitSupport
import APIKitTesting

/// The share of each kind of fault that ``APIClient/injectingFaults(_:)`` injects, and the seed that decides when.
///
/// ```swift
/// var faults = FaultInjection.seed(7)
/// faults.duplicates = 0
/// ```
///
/// Each share is a fraction of all requests, from 0 to 1; anything less, and NaN, counts as 0. Each request gets at
/// most one fault, and may also be delayed. If the shares of the faults add up to more than 1, the shares of the
/// properties that are declared first prevail.
public struct FaultInjection: Sendable, Hashable {
    /// The seed of the decisions which request gets which fault: the same seed makes the same decisions.
    public var seed: UInt64
    /// The share of requests that are delayed before they are sent.
    public var delays: Double
    /// The length of a delay. One of ``RequestOptions/timeout`` or longer ends with `timedOut` instead.
    public var delay: ClosedRange<Duration>
    /// The share of requests whose connection is lost before they are sent.
    public var lostRequests: Double
    /// The share of requests that are sent, but whose response is lost with the connection.
    public var lostResponses: Double
    /// The share of requests that are not sent, and get a status instead, as from a gateway before the server.
    public var serverErrors: Double
    /// The statuses of the simulated server errors; 503 if the list is empty. About half of those with 503 have a
    /// `Retry-After` of 1 to 5 seconds.
    public var statuses: [Int]
    /// The share of responses whose connection is lost before the end of the body.
    public var truncatedBodies: Double
    /// The share of requests that are sent twice, as a network that retries or a proxy may do, whatever their method;
    /// the second response is returned.
    public var duplicates: Double

    /// Creates a set of faults with only those faults that are named.
    ///
    /// - Parameters:
    ///   - seed: What decides which request gets which fault.
    ///   - delays: The share of requests that are delayed.
    ///   - delay: How long a delay is.
    ///   - lostRequests: The share of requests that are lost.
    ///   - lostResponses: The share of responses that are lost.
    ///   - serverErrors: The share of requests that get one of the statuses.
    ///   - statuses: The statuses that those get.
    ///   - truncatedBodies: The share of bodies that are cut off.
    ///   - duplicates: The share of requests that are sent twice.
    public init(
        seed: UInt64,
        delays: Double = 0,
        delay: ClosedRange<Duration> = .milliseconds(50)...(.seconds(3)),
        lostRequests: Double = 0,
        lostResponses: Double = 0,
        serverErrors: Double = 0,
        statuses: [Int] = [500, 502, 503, 504],
        truncatedBodies: Double = 0,
        duplicates: Double = 0
    ) {
        self.seed = seed
        self.delays = delays
        self.delay = delay
        self.lostRequests = lostRequests
        self.lostResponses = lostResponses
        self.serverErrors = serverErrors
        self.statuses = statuses
        self.truncatedBodies = truncatedBodies
        self.duplicates = duplicates
    }

    /// A mix of all faults: 3 of 10 requests are delayed, and as many get another fault.
    public static func seed(_ seed: UInt64) -> FaultInjection {
        FaultInjection(
            seed: seed, delays: 0.3, lostRequests: 0.05, lostResponses: 0.05, serverErrors: 0.1, truncatedBodies: 0.05,
            duplicates: 0.05)
    }
}

extension FaultInjection {
    /// A fault that is injected into a request.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Fault: Sendable, Hashable {
        /// The connection is lost before the request is sent.
        case lostRequest
        /// The request is sent, and the connection lost before the response.
        case lostResponse
        /// The request is not sent, and gets a status, with the seconds of a `Retry-After` if it has one.
        case serverError(status: Int, retryAfter: Int?)
        /// The connection is lost before the end of the body.
        case truncatedBody
        /// The request is sent twice.
        case duplicate
    }

    /// The delay and the fault of one request.
    struct Decision {
        let delay: Duration?
        let fault: Fault?
    }

    /// Decides whether a request is delayed, and which fault it gets.
    ///
    /// The decision depends only on the seed, the line and the number, so that concurrent requests to different URLs do
    /// not affect each other's decisions.
    ///
    /// - Parameters:
    ///   - line: The method and the URL.
    ///   - number: The number of the request among those with the same line.
    /// - Returns: The delay and the fault.
    func decision(for line: String, number: Int) -> Decision {
        var random = SeededRandom(seed: seed, line: line, number: number)
        // Each decision draws the same count of random numbers, whatever the shares are. So changing one share does not
        // change the other decisions.
        let isDelayed = random.fraction() < delays
        // Longer or negative bounds would overflow in a clock, or make it throw.
        let shortest = delay.lowerBound.clampedForSleep
        let longest = delay.upperBound.clampedForSleep
        let length = shortest + (longest - shortest) * random.fraction()
        let fault = fault(using: &random)
        return Decision(delay: isDelayed ? length : nil, fault: fault)
    }

    /// Draws the fault of a request, nil for none. Each fault has the probability of its share: with the shares 0.1 for
    /// lost requests and 0.2 for lost responses, a number below 0.1 means the former, and one from 0.1 to 0.3 the
    /// latter.
    private func fault(using random: inout SeededRandom) -> Fault? {
        let position = random.fraction()
        // Drawn even if another fault is chosen, so that the count of random numbers does not depend on the shares.
        let serverError = serverError(using: &random)
        let shares: [(share: Double, fault: Fault)] = [
            (lostRequests, .lostRequest), (lostResponses, .lostResponse), (serverErrors, serverError),
            (truncatedBodies, .truncatedBody), (duplicates, .duplicate),
        ]
        // The shares divide the range from 0 to 1 into sections, one after the other. The section that contains the
        // position decides the fault.
        var positionInSection = position
        for (share, fault) in shares where share > 0 {
            if positionInSection < share { return fault }
            positionInSection -= share
        }
        return nil
    }

    /// Draws one of ``statuses``. About half of the errors with the status 503 get a `Retry-After` of 1 to 5 seconds.
    private func serverError(using random: inout SeededRandom) -> Fault {
        var status = 503
        if !statuses.isEmpty {
            status = statuses[Int(random.fraction() * Double(statuses.count))]
        }
        // One number from 0 to 1 decides both: its lower half means a `Retry-After`, and is divided into five parts for
        // the seconds.
        let fraction = random.fraction()
        let hasRetryAfter = status == 503 && fraction < 0.5
        let seconds = 1 + Int(fraction * 10)
        return .serverError(status: status, retryAfter: hasRetryAfter ? seconds : nil)
    }
}

extension FaultInjection.Fault: CustomStringConvertible {
    /// The fault in words.
    public var description: String {
        switch self {
        case .lostRequest: "connection lost before the request was sent"
        case .lostResponse: "connection lost before the response"
        case .serverError(let status, nil): "status \(status)"
        case .serverError(let status, let seconds?): "status \(status), retry after \(seconds) s"
        case .truncatedBody: "connection lost within the body"
        case .duplicate: "sent twice"
        }
    }
}

/// A generator of random numbers that are the same in every run: Sebastiano Vigna's SplitMix64.
private struct SeededRandom {
    private var state: UInt64

    /// Begins a sequence of its own for each seed, line and number.
    init(seed: UInt64, line: String, number: Int) {
        // The hash FNV-1a of the line, since Swift's own hash values differ from run to run. `times` drops the bits
        // that overflow.
        state = 0xCBF2_9CE4_8422_2325
        for byte in line.utf8 {
            state = (state ^ UInt64(byte)).times(0x0000_0100_0000_01B3)
        }
        // `next()` scrambles the bits before the next value is combined with them. So neighboring seeds and numbers
        // begin unrelated sequences.
        state = next() ^ seed
        state = next() ^ UInt64(number)
    }

    /// Returns the next number, from 0 up to but not including 1.
    mutating func fraction() -> Double {
        // A `Double` has 53 significant bits.
        Double(next() >> 11) / 0x1p53
    }

    /// Returns 64 random bits, and advances the state.
    private mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)).times(0xBF58_476D_1CE4_E5B9)
        mixed = (mixed ^ (mixed >> 27)).times(0x94D0_49BB_1331_11EB)
        return mixed ^ (mixed >> 31)
    }
}
