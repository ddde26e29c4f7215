extension ExchangeState {
    /// A response whose head has arrived.
    ///
    /// It is a class, so that each event changes the body in place. As a struct it would be copied with the phase, and
    /// that would cost more than the rest of an event.
    ///
    /// `@unchecked Sendable`: once the state has it, only the state uses it, under the lock of the exchange.
    final class Response: @unchecked Sendable {
        let head: HTTPResponse.Head
        /// Which part of the whole content the body is.
        let part: Part
        /// Whether a reader takes the body as it arrives.
        let isStream: Bool
        @exclusivity(unchecked) var body: Body
        /// The fields after a body that was collected or written to a file; empty until its end.
        @exclusivity(unchecked) private(set) var trailers: HTTPHeaders = [:]

        /// Creates a response of whose body nothing has arrived.
        init(head: HTTPResponse.Head, part: Part = .unknown, body: Body) {
            self.head = head
            self.part = part
            self.body = body
            if case .stream = body { isStream = true } else { isStream = false }
        }

        /// Notes the end of the body. The trailers of a stream arrive after its response has been delivered.
        func end(with trailers: HTTPHeaders) {
            if case .stream(let stream) = body {
                stream.trailers.receive(trailers)
            } else {
                self.trailers = trailers
            }
        }
    }

    /// Which part of the whole content a body is; not the whole if a download continues.
    struct Part: Sendable {
        /// The number of bytes before the body, which the caller has from earlier requests.
        var offset = 0
        /// The length of the whole content, nil if it is unknown.
        var total: Int?

        /// A body that counts as the whole content, of unknown length.
        static var unknown: Part { Part() }
    }

    /// The body of a response, by where it goes.
    enum Body: Sendable {
        /// Into memory, as far as a limit allows.
        case memory(LimitedBody)
        /// Into a file, as it arrives.
        case file(TemporaryFile)
        /// To a reader, as it arrives.
        case stream(StreamedBody)

        /// What has to happen with a piece that has arrived.
        enum Addition {
            /// It was stored.
            case stored
            /// It is to be written to the file.
            case writes(TemporaryFile)
            /// It is what the reader waits for, which is to be resumed with it.
            case resumes(StreamedBody.Reader)
            /// The wanted beginning of the body is complete with it, and the transfer is to be stopped.
            case completesBeginning
            /// The body would exceed the size limit.
            case exceedsSizeLimit
            /// More bytes would wait for the reader of a stream than are allowed, because the engine cannot pause or
            /// has not paused when it should.
            case exceedsUnreadLimit
        }

        /// Adds a piece that has arrived.
        ///
        /// - Parameters:
        ///   - piece: The piece.
        ///   - announced: The length of the whole body as the response's head announces it; nil if it does not.
        ///   - canPause: Whether the engine can make the server wait.
        /// - Returns: What has to happen with the piece.
        mutating func add(_ piece: Data, announced: Int?, canPause: Bool) -> Addition {
            // `self` is consumed, so that the bytes have a single owner. Otherwise appending the piece would copy them.
            switch consume self {
            case .memory(var body):
                let result = body.append(piece, of: announced)
                self = .memory(body)
                switch result {
                case .added: return .stored
                case .cutOff: return .completesBeginning
                case .refused: return .exceedsSizeLimit
                }
            case .file(let file):
                self = .file(file)
                return .writes(file)
            case .stream(let stream):
                self = .stream(stream)
                return stream.add(piece, canPause: canPause)
            }
        }
    }

    /// A response as the caller takes it out of the state.
    struct Delivery: Sendable {
        let head: HTTPResponse.Head
        let body: Body
        let timing: HTTPResponse.Timing

        enum Body: Sendable {
            /// In memory.
            case memory(ResponseBody)
            /// In a file that has been written, but not flushed.
            case file(TemporaryFile, trailers: HTTPHeaders)
            /// Still arriving. The exchange gives its pieces to a reader, and the trailers follow.
            case stream(Trailers)
        }

        /// Takes the parts of a response.
        init(of response: Response, _ timing: HTTPResponse.Timing) {
            var timing = timing
            switch response.body {
            case .memory(let body) where body.isCutOff:
                // It has no trailers, since these come after the rest.
                self.body = .memory(ResponseBody(beginning: body.data))
            case .memory(let body):
                self.body = .memory(ResponseBody(body.data, trailers: response.trailers))
            case .file(let file):
                self.body = .file(file, trailers: response.trailers)
            case .stream(let stream):
                self.body = .stream(stream.trailers)
                // The response of a stream does not know when the stream ends, even if it has already ended.
                timing.finished = nil
            }
            head = response.head
            self.timing = timing
        }
    }
}
