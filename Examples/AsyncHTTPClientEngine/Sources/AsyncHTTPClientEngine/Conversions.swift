import APIKitCore
import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1

extension NIOHTTP1.HTTPHeaders {
    /// Creates the headers of a request, which asks for the codings that the engine decodes unless it names its own.
    init(of request: HTTPRequest) {
        self.init(request.headers.map { ($0.name.rawValue, $0.value) })
        if request.headers[.acceptEncoding] == nil { add(name: "Accept-Encoding", value: "gzip, deflate") }
    }
}

extension HTTPResponse.Head {
    /// Creates a head from one that async-http-client has received.
    init(_ head: HTTPResponseHead, url: URL) {
        let fields = head.headers.map { APIKitCore.HTTPHeaders.Field(name: .init(rawValue: $0.name), value: $0.value) }
        self.init(status: Int(head.status.code), headers: .init(fields), url: url)
    }
}

extension Data {
    /// Creates data from a part of a body. Large parts share the memory of their buffer, unless they are a small part
    /// of it, which they would keep in memory.
    init(_ part: ByteBuffer) {
        let isShared = part.readableBytes >= 8 << 10 && part.readableBytes >= part.storageCapacity / 2
        self.init(buffer: part, byteTransferStrategy: isShared ? .noCopy : .copy)
    }
}
