import APIKit
import BenchmarkSupport
import NIOCore
import NIOHTTP1
import NIOPosix

/// A server for ten thousand connections, in a process of its own: this program once more.
///
/// `/wait?ms=` responds after that time. `/events?ms=&first=` starts a stream with an event each 10 s, the first one
/// after the given time, and ends it.
final class SlowServer {
    let url: URL
    private let process = Process()

    init() throws {
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: "/proc/self/exe")
        process.arguments = ["--job", "serve"]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let port = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let url = URL(string: "http://127.0.0.1:\(port)") else { throw URLError(.cannotConnectToHost) }
        self.url = url
    }

    deinit {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Prints the port and serves until the standard input ends, which it does with the process that reads the port.
    static func serve() async throws {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 4096)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(SlowHandler())
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        print(channel.localAddress?.port ?? 0, terminator: "")
        fflush(nil)
        _ = try FileHandle.standardInput.readToEnd()
    }
}

private final class SlowHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let head) = unwrapInboundIn(data), let url = URLComponents(string: head.uri) else { return }
        func number(_ name: String) -> Int {
            url.queryItems?.first { $0.name == name }?.value.flatMap { Int($0) } ?? 0
        }
        let delay = number("ms")
        let response = HTTPResponseHead(version: head.version, status: .ok)
        if url.path == "/events" {
            context.writeAndFlush(wrapOutboundOut(.head(response)), promise: nil)
            for time in stride(from: number("first"), to: delay, by: 10_000) {
                schedule(time, context) { [.body(.byteBuffer(ByteBuffer(string: "data: event\n\n")))] }
            }
            schedule(delay, context) { [.end(nil)] }
        } else {
            schedule(delay, context) { [.head(response), .end(nil)] }
        }
    }

    private func schedule(
        _ milliseconds: Int, _ context: ChannelHandlerContext, _ parts: @escaping () -> [HTTPServerResponsePart]
    ) {
        _ = context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(Int64(milliseconds))) {
            for part in parts() { context.write(self.wrapOutboundOut(part), promise: nil) }
            context.flush()
        }
    }
}
