import APIKitCore
import APIKitSupport

/// A session URL to which ranges of the file are sent, as in Google's APIs.
struct SessionDialect: UploadDialect {
    var chunkMultiple: Int { 256 << 10 }

    func creationHeaders(for file: UploadFile) -> HTTPHeaders {
        ["X-Upload-Content-Type": file.type.rawValue, "X-Upload-Content-Length": "\(file.size)"]
    }

    func question(about file: UploadFile) -> UploadMessage {
        UploadMessage(
            kind: .question, method: .put, headers: [.contentRange: "bytes */\(file.size)"], range: 0..<0)
    }

    func chunk(_ range: Range<Int>, of file: UploadFile) -> UploadMessage {
        UploadMessage(
            kind: .chunk, method: .put, headers: [.contentRange: range.contentRange(of: file.size)], range: range,
            contentType: file.type)
    }

    var abandonment: UploadMessage { UploadMessage(kind: .abandonment, method: .delete) }

    func report(on response: HTTPResponse, to message: UploadMessage, about file: UploadFile) -> UploadReport {
        let head = response.head
        switch head.status {
        case 200..<300:
            return message.kind == .creation ? .received(0) : .complete
        // "Resume Incomplete", in the place of RFC 9110's Permanent Redirect.
        case 308 where message.kind != .creation:
            // Google's servers keep multiples of 256 KiB, so they never have just the first byte. Others say so if they
            // have none.
            guard let range = head.headers[.range], range != "bytes=0-0" else { return .received(0) }
            // Only ranges from the first byte on, such as `bytes=0-42`, are valid here.
            let prefix = "bytes=0-"
            guard range.hasPrefix(prefix), let last = range.dropFirst(prefix.count).wholeNumber, last < .max else {
                return .refused
            }
            return .received(last + 1)
        // The status that Google responds with once a session is cancelled.
        case 499:
            return .unknown
        default:
            return UploadReport(status: head.status)
        }
    }
}

extension Range<Int> {
    /// The range as `Content-Range` has it, whose last byte is included (RFC 9110, section 14.4). An empty range stands
    /// for no bytes of an empty file.
    func contentRange(of size: Int) -> String {
        isEmpty ? "bytes */\(size)" : "bytes \(lowerBound)-\(upperBound - 1)/\(size)"
    }
}
