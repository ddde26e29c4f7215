import APIKitCore
import APIKitSupport

/// A request to the loopback listener, and how the listener responds to it.
///
/// Any page that the user visits, and any other user of the machine, can send requests to the listener. So it takes
/// only what a browser sends after a redirect: a GET of the path, with the listener as its host (others show DNS
/// rebinding), and with the `state` of this sign-in, which no page knows. An error without a `state` is refused, too:
/// anyone could end the sign-in.
///
/// This does not protect from other users of the machine who can read the arguments with which the browser was started:
/// there, they find the `state`, the port and the challenge of PKCE. They can obtain a code for an account of their own
/// with the same challenge, and send it, so that the program is signed in to their account. The user's tokens stay
/// safe: the verifier is in no argument. Nothing in a redirect could tell the difference.
struct LoopbackRequest {
    /// The host in the redirect URI.
    var host = AuthorizationPresentation.LoopbackHost.address
    /// How the listener responds to a request.
    enum Verdict: Equatable {
        /// The redirect, with its complete URL.
        case redirect(URL)
        /// Another path or method.
        case notFound
        /// A request that is malformed, has another host, or is the redirect of another sign-in.
        case refused
    }

    /// The port and path of the listener.
    let port: UInt16
    let path: String
    /// The `state` of the sign-in; nil if the authorization request had none.
    let state: String?

    /// Judges the head of a request, without the empty line at its end.
    func verdict(on head: Data) -> Verdict {
        let lines = head.utf8Text.split(separator: "\r\n", omittingEmptySubsequences: false)
        let words = lines[0].split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, words[2].hasPrefix("HTTP/1."), hasOwnHost(lines.dropFirst()) else { return .refused }
        let target = words[1]
        let requestPath = target.prefix { $0 != "?" }
        guard words[0] == "GET", requestPath == path else { return .notFound }
        let isPrintable = target.utf8.allSatisfy { 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "#") }
        guard isPrintable, let url = URL(string: "http://\(host.rawValue):\(port)\(target)") else { return .refused }
        return url.states == [state].compactMap(\.self) ? .redirect(url) : .refused
    }

    /// Whether the only `Host` header names the listener.
    private func hasOwnHost(_ lines: some Sequence<Substring>) -> Bool {
        let hosts = lines.compactMap { line -> String? in
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0].lowercased() == "host" else { return nil }
            return parts[1].trimmingSpaces().lowercased()
        }
        return hosts == ["127.0.0.1:\(port)"] || hosts == ["localhost:\(port)"]
    }
}

extension URL {
    /// The values of all `state` parameters in the query.
    var states: [String] {
        let items = URLComponents(url: self, resolvingAgainstBaseURL: false)?.queryItems ?? []
        return items.filter { $0.name == "state" }.map { $0.value ?? "" }
    }
}
