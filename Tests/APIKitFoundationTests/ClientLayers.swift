import APIKit

/// A client that can be put around any other.
struct ClientLayer: Sendable {
    let name: String
    let wrap: @Sendable (any APIClient) -> any APIClient
}

/// The clients around clients, each as it passes most requests on.
///
/// Not `retrying`: a policy that repeats requests changes what the server sees, and one that does not also forbids the
/// engine's own second attempt, which the contract wants. `RetryingTests` counts the requests of both.
let layers: [ClientLayer] = [
    ClientLayer(name: "based") { $0.based(at: APIBase(elsewhere), insteadOf: APIBase(elsewhere)) },
    ClientLayer(name: "observed") { $0.observed { _ in } },
    ClientLayer(name: "logged") { $0.logged(headers: true, bodies: true) { _ in } },
    ClientLayer(name: "authorized") { $0.authorized(by: .bearer("token"), for: APIBase(elsewhere.absoluteString)) },
    ClientLayer(name: "limited") { $0.limited(concurrent: 200) },
    ClientLayer(name: "tracked") { $0.tracked(by: RequestTracker()) },
    ClientLayer(name: "adding") { $0.adding(headers: [.userAgent: "Tests"]) },
    ClientLayer(name: "cached") { $0.cached(in: ResponseCache(bytes: 1 << 20)) },
    ClientLayer(name: "coalesced") { $0.coalesced() },
    ClientLayer(name: "intercepted") { $0.intercepted { request, _, next in try await next(request) } },
]

/// All of these around one client.
func stacked(on client: any APIClient) -> any APIClient { layers.reduce(client) { $1.wrap($0) } }

private let elsewhere = URL(string: "https://elsewhere.example")!  // a valid literal
