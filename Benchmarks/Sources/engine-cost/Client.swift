import APIKit
import ArgumentParser

/// A way to send requests.
enum Client: String, CaseIterable, ExpressibleByArgument {
    case libcurl = "libcurl by hand"
    case urlSession = "URLSession by hand"
    case asyncHTTPClient = "async-http-client by hand"
    case send = "CurlClient, send"
    case perform = "CurlClient, perform"
    case asyncHTTPClientEngine = "async-http-client engine, send"
    case again = "libcurl by hand again"

    /// The name, as wide as all others.
    var column: String { rawValue.padding(toLength: 31, withPad: " ", startingAt: 0) }
}
