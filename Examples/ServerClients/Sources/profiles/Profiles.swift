// A server that calls GitHub for each of its requests: with a token, a cache, limits, log lines, metrics and spans.
//
//     swift run --package-path Examples/ServerClients profiles
//     curl http://127.0.0.1:8080/profiles/mojombo
//     GITHUB_TOKEN=… PORT=8081 swift run --package-path Examples/ServerClients profiles

import APIKit
import Hummingbird
import Logging
import ServerClients
import ServiceLifecycle
import UnixSignals

@main
struct Profiles {
    /// After SIGTERM or Ctrl-C the server accepts no more connections, and finishes the requests that it has, with
    /// their calls. What is not finished after 15 seconds is cancelled, and its calls with it.
    static func main() async throws {
        // Backends go here: LoggingSystem.bootstrap, MetricsSystem.bootstrap and InstrumentationSystem.bootstrap.
        var logger = Logger(label: "profiles")
        logger.logLevel = .debug
        let port = ProcessInfo.processInfo.environment["PORT"].flatMap { Int($0) } ?? 8080
        let client = gitHubClient(over: URLSession.api, credentials: EnvironmentToken())
        var configuration = ServiceGroupConfiguration(
            services: [application(calling: client, port: port, logger: logger)],
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger)
        configuration.maximumGracefulShutdownDuration = .seconds(15)
        try await ServiceGroup(configuration: configuration).run()
    }
}

/// Returns the one client for all requests of the server, which share its limits and its cache.
func gitHubClient(over engine: some APIClient, credentials: some CredentialSource) -> some APIClient {
    engine
        // Each attempt that reaches the network.
        .traced()
        .measured()
        .logged()
        .limited(concurrent: 32, perSecond: 20)
        .cached(in: ResponseCache(bytes: 10 << 20))
        .authorized(by: credentials, for: .gitHub)
        .retrying(.backoff(attempts: 3))
        // Each call.
        .traced(.call)
}

/// Returns the server. Its spans are the parents of those of the calls.
func application(
    calling gitHub: any APIClient, port: Int = 8080, logger: Logger = Logger(label: "profiles")
) -> some ApplicationProtocol {
    let router = Router()
    router.add(middleware: TracingMiddleware())
    router.get("/profiles/:login") { _, context -> Profile in
        let login = try context.parameters.require("login")
        do {
            guard let user = try await gitHub.send(UserRequest(login: login)) else { throw HTTPError(.notFound) }
            return Profile(name: user.name ?? user.login, followers: user.followers)
        } catch let error as any APIFailure {
            // The log says what failed; nobody else needs to know.
            throw HTTPError(error.transportCode == .timedOut ? .gatewayTimeout : .badGateway)
        }
    }
    let address = BindAddress.hostname("127.0.0.1", port: port)
    return Application(router: router, configuration: ApplicationConfiguration(address: address), logger: logger)
}

/// What the server responds with.
struct Profile: ResponseCodable, Hashable, Sendable {
    let name: String
    let followers: Int
}
