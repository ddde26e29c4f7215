#if os(Linux)
import APIKitCore
import APIKitSupport
import CAPIKitCurl

extension CurlLoop {
    enum Message: Sendable {
        /// A request to send. The timeout is the longest time from the start of the transfer to the end of the
        /// response, nil for no limit.
        case start(Exchange, cookies: RequestCookies, transferTimeout: Duration?)
        case stop(CurlTransfer)
        /// The reader of the response has caught up.
        case resume(CurlTransfer)
        /// The next piece of a request's body.
        case uploadPiece(CurlUpload, Data)
        /// A request's body has no more pieces.
        case uploadEnd(CurlUpload)
        /// A body need not wait for a 100 response any longer, or the response has arrived before all of the body.
        case continueUpload(CurlUpload)
        /// Ends the wait of the thread, since the client was deallocated; see ``Mailbox/isClosed``.
        case close

        /// Whether a thread is started for the message if there is none. The others concern only transfers that a
        /// thread has, so without one they have come too late: from the task of a body that was cancelled, for example.
        fileprivate var needsThread: Bool {
            switch self {
            case .start, .resume: true
            case .stop, .uploadPiece, .uploadEnd, .continueUpload, .close: false
            }
        }
    }

    /// The messages from other threads to the loop's thread, and whether there is such a thread.
    ///
    /// A thread ends only if there are no messages, and both are checked under one lock. So a message either finds a
    /// thread that will take it, or its sender learns that it has to start one. Without a thread, a message that needs
    /// none is discarded.
    final class Mailbox: Sendable {
        private struct Contents {
            var messages: [Message] = []
            var thread = Thread.none
            /// Whether the client was deallocated. It is kept from one thread to the next.
            var isClosed = false

            /// Marks the thread as ended, and returns the memory of the messages.
            mutating func endThread() {
                messages = []
                thread = .none
            }
        }

        private enum Thread {
            /// There is no thread. Next: `starting`.
            case none
            /// A thread was asked for, and does not wait yet. Next: `running`, or `none` if it cannot start.
            case starting
            /// The thread may wait for sockets, which can be ended. Next: `none`.
            case running(Wake)
        }

        /// Ends a wait of the thread. A sender gets it under the lock and uses it afterwards, when the thread may have
        /// ended already, so each sender retains it.
        ///
        /// `@unchecked Sendable`: the pointer does not change, and the functions in C may be called from any thread.
        final class Wake: @unchecked Sendable {
            let pointer: OpaquePointer

            /// Returns nil if no memory or no descriptor is left.
            fileprivate init?() {
                guard let pointer = acurl_wake_create() else { return nil }
                self.pointer = pointer
            }

            deinit {
                acurl_wake_destroy(pointer)
            }
        }

        private let contents = Locked(Contents())

        // MARK: - For senders

        /// Adds a message, and ends the wait of the thread. If there is no thread, discards a message that needs none.
        ///
        /// - Returns: Whether the caller must start a thread. The mailbox counts on that.
        func add(_ message: Message) -> Bool {
            let needsThread = message.needsThread
            let thread = contents.withLock { contents in
                let thread = contents.thread
                if case .none = thread {
                    if !needsThread { return thread }
                    contents.thread = .starting
                }
                contents.messages.append(message)
                return thread
            }
            switch thread {
            case .none:
                return needsThread
            case .starting:
                return false
            case .running(let wake):
                // Outside the lock, since the thread takes the lock as soon as it wakes up.
                acurl_wake_up(wake.pointer)
                return false
            }
        }

        /// Notes that the client was deallocated, so that a thread ends once it has no more transfers.
        func close() {
            contents.withLock { $0.isClosed = true }
            // It never needs a thread, so no thread has to be started.
            _ = add(.close)
        }

        /// Removes and returns all messages of a thread that does not exist or cannot work, and marks it as ended.
        func removeAll() -> [Message] {
            contents.withLock { contents in
                let messages = contents.messages
                contents.endThread()
                return messages
            }
        }

        // MARK: - For the thread

        /// Whether the client was deallocated, so that only transfers that have begun still need the thread.
        var isClosed: Bool { contents.withLock { $0.isClosed } }

        /// Creates the object by which senders end the waits of this thread. Returns nil if no memory or no descriptor
        /// is left.
        func makeWake() -> Wake? {
            guard let wake = Wake() else { return nil }
            contents.withLock { $0.thread = .running(wake) }
            return wake
        }

        /// Moves the messages to an empty array, whose memory serves for the next messages.
        func takeMessages(into inbox: inout [Message]) {
            contents.withLock { swap(&$0.messages, &inbox) }
        }

        /// Makes the sender of the next message end the following wait, unless there are messages already.
        ///
        /// - Returns: Whether the wait was announced.
        func announceWait(_ wake: Wake) -> Bool {
            contents.withLock { contents in
                guard contents.messages.isEmpty else { return false }
                acurl_wake_expect(wake.pointer)
                return true
            }
        }

        /// Marks the thread as ended, unless there are messages for it.
        ///
        /// - Returns: Whether it was marked, and so must end.
        func endThreadIfEmpty() -> Bool {
            contents.withLock { contents in
                guard contents.messages.isEmpty else { return false }
                contents.endThread()
                return true
            }
        }
    }
}
#endif
