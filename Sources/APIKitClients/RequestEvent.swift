public import APIKitCore

/// One attempt to perform a request, after its end: what ``APIClient/observed(_:)`` reports.
public struct RequestEvent: Sendable {
    /// The request, as it was passed on.
    public let request: HTTPRequest
    /// The call that it was sent for, with its endpoint and the template of its path.
    public let call: Call
    /// Which attempt of the call it was, from 1 on; redirects are attempts too.
    public let attempt: Int
    /// The response, without the bytes of a stream; or the error that was thrown instead.
    public let result: Result<HTTPResponse, any Error>
    /// How many bytes of the response's body were delivered; nil if there is no response, or if they are in a file.
    public let bytesReceived: Int?
    /// The error that a stream ended with. A stream that was left before its end has none.
    public let streamError: (any Error)?
    /// The time from the start of the attempt to the end of the body.
    public let duration: Duration
}

extension RequestEvent: CustomStringConvertible {
    /// One line, with secrets masked: method, URL, status or error, bytes received and time.
    public var description: String {
        var parts: [String] = []
        switch result {
        case .success(let response): parts.append("\(response.head.status)")
        case .failure(let error): parts.append(ErrorText.of(error))
        }
        if let bytesReceived { parts.append("\(bytesReceived) bytes") }
        let (seconds, attoseconds) = duration.components
        parts.append("\(seconds * 1000 + attoseconds / 1_000_000_000_000_000) ms")
        if let streamError { parts.append("ended by: \(ErrorText.of(streamError))") }
        let line = "\(request.method) \(request.maskedURL): \(parts.joined(separator: ", "))"
        return request.maskingCredentials(in: Masking.oneLine(line))
    }
}
