#if os(Linux)
import APIKitCore
import APIKitSupport
import APIKitCurl
import Foundation
import FoundationNetworking

/// What a request has to do with the cookies of its session.
final class SessionCookies: Sendable {
    /// Resumed once the cookies of the last response are written to the storage; nil if there are none.
    private let lastWrite = Locked<Waiter<Void>?>(nil)

    /// Returns the cookies to send with the request of an exchange, and a function that stores those of its response.
    /// Both are empty if the session uses no cookies.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    func cookies(for exchange: Exchange, of configuration: URLSessionConfiguration) async throws -> RequestCookies {
        let request = exchange.request
        var cookies = RequestCookies()
        guard let storage = configuration.httpCookieStorage, let origin = CookieOrigin(request.url) else {
            return cookies
        }
        // A request with a `Cookie` header of its own is sent with that one only.
        let sendsCookies = configuration.httpShouldSetCookies && request.headers[.cookie] == nil
        let storesCookies = configuration.httpCookieAcceptPolicy != .never && storage.cookieAcceptPolicy != .never
        guard sendsCookies || storesCookies else { return cookies }
        let jar = CookieJar.jar(of: storage)
        if sendsCookies {
            try await jar.readChanges(within: CookieJar.longestRead.limited(by: request, in: exchange.call))
            cookies.header = jar.header(for: origin)
        }
        if storesCookies {
            cookies.store = { fields in
                let write = jar.store(fields, from: origin)
                self.lastWrite.withLock { $0 = write }
            }
        }
        return cookies
    }

    /// Waits until the cookies of the response are in the storage, so that the program finds them there, and they
    /// survive the end of the process. Nothing fails if the wait is too long.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    func waitUntilStored(within limit: Duration) async throws {
        guard let write = lastWrite.withLock({ $0 }) else { return }
        try await write.wait(for: limit)
    }
}

extension Duration {
    /// This time, or the time until the request's timeout or the deadline of its call if that is shorter.
    func limited(by request: HTTPRequest, in call: Call) -> Duration {
        limited(by: request.options.effectiveTimeout, call.timeLeft)
    }

    /// This time, or a timeout or the time until a deadline if that is shorter. There may be no deadline.
    func limited(by timeout: Duration, _ timeLeft: Duration?) -> Duration {
        let limit = min(self, timeout)
        guard let timeLeft else { return limit }
        return min(limit, timeLeft)
    }
}
#endif
