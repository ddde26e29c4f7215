import Foundation
import NIOCore
import NIOPosix

/// A server that sends its bytes as soon as the first of a request come, reads no more of it, and then ends as given.
final class RawServer: Sendable {
    enum Ending: String, CaseIterable {
        case closes
        case resets
        case holds
    }

    let url: URL
    private let channel: any Channel

    init(_ answer: Data, _ ending: Ending) async throws {
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { channel in
                channel.pipeline.addHandler(Handler(answer, ending))
            }
        channel = try await bootstrap.bind(host: "127.0.0.1", port: 0).get()
        url = URL(string: "http://127.0.0.1:\(channel.localAddress?.port ?? 0)/")!  // a literal and a number
    }

    deinit {
        channel.close(promise: nil)
    }

    /// @unchecked: its variable is touched on its channel's event loop alone.
    private final class Handler: ChannelInboundHandler, @unchecked Sendable {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let answer: Data
        private let ending: Ending

        init(_ answer: Data, _ ending: Ending) {
            (self.answer, self.ending) = (answer, ending)
        }

        func channelActive(context: ChannelHandlerContext) {
            context.read()
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let channel = context.channel
            let ending = ending
            channel.writeAndFlush(ByteBuffer(bytes: answer)).whenComplete { _ in
                switch ending {
                case .closes: channel.close(promise: nil)
                case .holds: break
                case .resets:
                    let isSet = (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
                    isSet?.whenComplete { _ in channel.close(promise: nil) }
                }
            }
        }
    }
}
