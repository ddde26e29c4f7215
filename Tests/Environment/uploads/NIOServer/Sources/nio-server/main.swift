// Serves uploads at http://127.0.0.1:PORT, with the handlers of swift-nio-extras. Prints that address once it listens,
// and serves until it is killed. Usage: nio-server FOLDER
//
// The package speaks the IETF's draft for resumable uploads at the interop versions 3, 5 and 6. The body of
// `POST /NAME` is stored as FOLDER/NAME; the response has its size as text. Of requests with an Authorization header,
// those whose token was used for three requests before are refused.

import Foundation
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import NIOPosix
import NIOResumableUpload

/// Stores the body of each request in a file. An upload of several requests is one request here.
final class FileHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart

    private let folder: URL
    private var file: FileHandle?
    private var size = 0

    init(folder: URL) { self.folder = folder }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        do {
            switch unwrapInboundIn(data) {
            case .head(let request):
                let name = String((request.path ?? "").dropFirst())
                guard request.method == .post, !name.isEmpty, !name.contains("/") else { return }
                let url = folder.appendingPathComponent(name)
                try Data().write(to: url)
                file = try FileHandle(forWritingTo: url)
            case .body(let bytes):
                try file?.write(contentsOf: Data(bytes.readableBytesView))
                size += bytes.readableBytes
            case .end:
                try file?.close()
                context.respond(file == nil ? .notFound : .created, String(size))
            }
        } catch {
            context.respond(.internalServerError, "\(error)")
        }
    }
}

/// Refuses requests with a token that was used three times.
final class TokenHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart

    /// Counts the uses of each token. All connections have the same event loop.
    final class Uses { var counts: [String: Int] = [:] }

    private let uses: NIOLoopBound<Uses>
    private var isRefused = false

    init(uses: NIOLoopBound<Uses>) { self.uses = uses }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        if case .head(let request) = part {
            isRefused = false
            if let token = request.headerFields[.authorization] {
                uses.value.counts[token, default: 0] += 1
                isRefused = uses.value.counts[token]! > 3
            }
        }
        guard isRefused else { return context.fireChannelRead(data) }
        if case .end = part { context.respond(.unauthorized, "") }
    }
}

extension ChannelHandlerContext {
    /// Writes a response with a text.
    func respond(_ status: HTTPResponse.Status, _ text: String) {
        var response = HTTPResponse(status: status)
        response.headerFields[.contentType] = "text/plain"
        response.headerFields[.contentLength] = String(text.utf8.count)
        write(NIOAny(HTTPResponsePart.head(response)), promise: nil)
        write(NIOAny(HTTPResponsePart.body(ByteBuffer(string: text))), promise: nil)
        writeAndFlush(NIOAny(HTTPResponsePart.end(nil)), promise: nil)
    }
}

let folder = URL(fileURLWithPath: CommandLine.arguments[1], isDirectory: true)
let loop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()
let uses = try await loop.submit { NIOLoopBound(TokenHandler.Uses(), eventLoop: loop) }.get()
// Without an origin, the package writes relative references into Location, which a proxy need not change.
let uploads = HTTPResumableUploadContext(origin: "")
let server = try await ServerBootstrap(group: loop)
    .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            try pipeline.configureHTTPServerPipeline()
            try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
            try pipeline.addHandler(TokenHandler(uses: uses))
            let file = FileHandler(folder: folder)
            try pipeline.addHandler(HTTPResumableUploadHandler(context: uploads, handlers: [file]))
        }
    }
    .bind(host: "127.0.0.1", port: 0).get()
print("http://127.0.0.1:\(server.localAddress!.port!)")
fflush(nil)
try await server.closeFuture.get()
