#if os(Linux)
import APIKitCore
import CAPIKitCurl

/// The headers of a request, as libcurl takes them.
final class HeaderList {
    let lines: OpaquePointer?
    private let text: [UInt8]

    private init(_ text: [UInt8]) {
        var lines: OpaquePointer?
        text.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while let end = rest.firstIndex(of: 0), let line = bytes.baseAddress?.advanced(by: rest.startIndex) {
                lines = acurl_list_append(lines, line.assumingMemoryBound(to: CChar.self))
                rest = rest[(end + 1)...]
            }
        }
        (self.lines, self.text) = (lines, text)
    }

    deinit {
        acurl_list_destroy(lines)
    }

    /// Lists for recent requests, of which most clients have few different ones. Used on one thread alone.
    final class Recent {
        private var lists: [HeaderList] = []
        /// The lines of the request, each with a NUL at its end.
        private var text: [UInt8] = []

        /// The list for the headers of a request, shared with earlier requests that had the same.
        func list(for headers: HTTPHeaders, hasBody: Bool) -> HeaderList {
            // One access for all of it, since each is checked.
            Self.write(headers, hasBody, to: &text)
            defer { text.removeAll(keepingCapacity: text.count <= 4096) }
            if let list = lists.first(where: { list in
                list.text.count == text.count && acurl_are_equal(list.text, text, text.count)
            }) {
                return list
            }
            if lists.count == 8 { lists.removeFirst() }
            let list = HeaderList(text)
            lists.append(list)
            return list
        }

        private static func write(_ headers: HTTPHeaders, _ hasBody: Bool, to text: inout [UInt8]) {
            // The first one counts for libcurl, which then neither waits for the server to want a body nor, after a
            // 417, sends the request again: the transfer does the first by itself.
            if hasBody { text.append(contentsOf: "Expect:\0".utf8) }
            var hasType = false
            for field in headers {
                let (name, value) = (field.name, field.value)
                text.append(contentsOf: name.rawValue.utf8)
                // libcurl leaves a header without a value out, unless it is written like this.
                if value.utf8.first.map(\.isBlank) ?? true, value.utf8.allSatisfy(\.isBlank) {
                    text.append(contentsOf: ";\0".utf8)
                } else {
                    text.append(contentsOf: ": ".utf8)
                    text.append(contentsOf: value.utf8)
                    text.append(0)
                }
                hasType = hasType || hasBody && name == .contentType
            }
            // No type that the body does not have.
            if hasBody, !hasType { text.append(contentsOf: "Content-Type:\0".utf8) }
        }
    }
}
#endif
