import Foundation

/// A way to send the benchmark's two requests, which respond with a list of items.
public protocol Peer: Sendable {
    /// What the library decodes a response into.
    associatedtype Item: Sendable

    /// Creates a client.
    ///
    /// - Parameter server: the URL before `/items` and `/create`.
    /// - Throws: the library's errors if it cannot be created.
    init(server: URL) throws

    /// Sends a GET to `/items?count=` and decodes the response.
    func items(count: Int) async throws -> [Item]

    /// Sends a POST to `/create` with these items as JSON, and decodes the response.
    func create(_ items: [Item]) async throws -> [Item]
}

extension Peer {
    /// Does what the program's arguments ask for, and prints what a request took: the seconds of the clock, and this
    /// process's seconds of processor time.
    ///
    ///     PROGRAM SERVER GET|POST COUNT WIDTH SECONDS
    ///
    /// The requests have responses of `COUNT` items. As many as `WIDTH` of them are sent at once, for some `SECONDS`.
    ///
    /// - Throws: the library's errors if a request fails.
    @concurrent
    public static func measure() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 6, let server = URL(string: arguments[1]), let count = Int(arguments[3]),
            let width = Int(arguments[4]), let seconds = Double(arguments[5])
        else {
            FileHandle.standardError.write(Data("usage: SERVER GET|POST COUNT WIDTH SECONDS\n".utf8))
            exit(2)
        }
        let peer = try Self(server: server)
        let posted = try await peer.items(count: count)
        let isPost = arguments[2] == "POST"
        @Sendable func send() async throws {
            let items = isPost ? try await peer.create(posted) : try await peer.items(count: count)
            guard items.count == count else { throw URLError(.badServerResponse) }
        }

        // Opens the connections.
        _ = try await repeated(width: width, seconds: seconds / 5, send)
        let start = Clocks.now
        let sent = try await repeated(width: width, seconds: seconds, send)
        let end = Clocks.now
        print((end.seconds - start.seconds) / Double(sent), (end.cpu - start.cpu) / Double(sent))
    }
}

/// Repeats some work in several tasks, in each at least once, and returns how often.
private func repeated(
    width: Int, seconds: Double, _ work: @escaping @Sendable () async throws -> Void
) async throws -> Int {
    let end = Clocks.now.seconds + seconds
    return try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<width {
            group.addTask {
                var times = 0
                repeat {
                    try await work()
                    times += 1
                } while Clocks.now.seconds < end
                return times
            }
        }
        return try await group.reduce(0, +)
    }
}

/// The system's clock, and the processor time of this process, in seconds.
private struct Clocks {
    let seconds: Double
    let cpu: Double

    static var now: Clocks {
        Clocks(seconds: seconds(CLOCK_MONOTONIC), cpu: seconds(CLOCK_PROCESS_CPUTIME_ID))
    }

    private static func seconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
