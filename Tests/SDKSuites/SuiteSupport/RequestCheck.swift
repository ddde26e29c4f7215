import APIKit
import APIKitTestServer
import Foundation

/// What is true of the requests of every case of Basecamp, unless the case says something else about a request: they
/// have the method and the path of the operation, and a request after a page has the URL of its link.
struct RequestCheck {
    let test: ConformanceCase
    let requests: [ScriptedServer.Arrival]

    /// Why the case fails; nil if it does not.
    func problem() -> String? {
        guard let path = test.path else { return "a parameter of the path is missing" }
        for (index, arrival) in requests.enumerated() {
            let request = arrival.request
            if request.method != test.method, !isAsserted("requestMethod", of: index) {
                return "request \(index) is a \(request.method) instead of a \(test.method)"
            }
            if let link = nextLink(before: index) {
                if request.target != link { return "request \(index) is for \(request.target) instead of \(link)" }
            } else if request.path != expectedPath(path), !isAsserted("requestPath", of: index) {
                return "request \(index) is for \(request.path) instead of \(expectedPath(path))"
            }
        }
        return nil
    }

    /// The path of a case begins with an account only if the case is about a download.
    private func expectedPath(_ path: String) -> String {
        path.dropFirst().first?.isNumber == true ? path : "/\(basecampAccount)\(path)"
    }

    /// Whether an assertion of the case is about this request.
    private func isAsserted(_ type: String, of index: Int) -> Bool {
        test.assertions.contains { assertion in
            let asserted = assertion.index ?? 0
            return assertion.type == type && (asserted < 0 ? requests.count + asserted : asserted) == index
        }
    }

    /// The next page in the response before a request; nil if it has none.
    private func nextLink(before index: Int) -> String? {
        guard index > 0, test.responses.indices.contains(index - 1) else { return nil }
        let header = test.responses[index - 1]["headers"]?["Link"]?.string ?? ""
        return header.firstMatch(of: #/<([^<>]+)>; rel="next"/#).map { String($0.1) }
    }
}

/// The account whose requests the cases expect.
public let basecampAccount = "999"
