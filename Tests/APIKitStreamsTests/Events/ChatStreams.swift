import APIKitCore
import Foundation
import TestSupport
import Testing

@testable import APIKitStreams

/// A chunk of a chat completion, in the dialect without types of events.
struct ChatChunk: Decodable, Hashable, EventModel {
    struct Choice: Decodable, Hashable {
        struct Delta: Decodable, Hashable {
            struct Call: Decodable, Hashable {
                struct Function: Decodable, Hashable { var arguments: String? }
                var function: Function
            }
            var content: String?
            var tool_calls: [Call]?
        }
        var delta: Delta
    }
    var choices: [Choice]

    static var rules: EventRules<ChatChunk> { EventRules(end: .data("[DONE]"), failure: .member("error")) }
}

/// An event of a message, in the dialect with types of events.
enum MessageEvent: Hashable, EventModel {
    struct Start: Decodable, Hashable {
        struct Message: Decodable, Hashable { let id: String }
        let message: Message
    }
    struct Block: Decodable, Hashable {
        struct Delta: Decodable, Hashable {
            let type: String
            var text: String?
            var partial_json: String?
        }
        let index: Int
        let delta: Delta
    }

    case start(Start)
    case delta(Block)
    case stop

    static var rules: EventRules<MessageEvent> {
        EventRules(
            [
                "message_start": .decoded(start), "content_block_delta": .decoded(delta),
                "message_stop": .constant(.stop),
            ],
            end: .type("message_stop"), failure: .type("error"))
    }
}

/// A stream of a chat as a server sends it, and what a client is to make of it.
struct ChatStream: CustomTestStringConvertible, Sendable {
    enum Ending: String, CaseIterable { case complete, failure }

    /// What servers and proxies do differently.
    enum Habit: String, CaseIterable {
        case plain, carriageReturns, noSpaces, comments, pings, splitData, byteOrderMark, ids
    }

    let isTyped: Bool
    let texts: [String]
    let arguments: [String]
    let habit: Habit
    let ending: Ending

    var testDescription: String {
        "\(isTyped ? "typed" : "untyped"), \(habit), \(ending), \(texts.count) texts, \(arguments.count) arguments"
    }

    /// 50 streams.
    static let all: [ChatStream] = {
        let contents: [([String], [String])] = [
            (["Hel", "lo", "!"], []), (["Grüße an ", "世", "界 👋🏽", ""], []),
            (["\"quoted\\\" {}[]\n\n", "data: [DONE]\n\n"], [#"{"city": "#, #""Zü"#, #"rich"}"#]),
        ]
        let streams = [false, true].flatMap { isTyped in
            Habit.allCases.flatMap { habit in
                contents.map { (isTyped, $0.0, $0.1, habit, Ending.complete) }
            }
        }
        let failing = [false, true].map { ($0, ["Hel"], [String](), Habit.plain, Ending.failure) }
        return (streams + failing).map {
            ChatStream(isTyped: $0.0, texts: $0.1, arguments: $0.2, habit: $0.3, ending: $0.4)
        }
    }()

    /// The bytes.
    var data: Data {
        var events = isTyped ? typedEvents : untypedEvents
        if habit == .pings, isTyped { events.insert(("ping", #"{"type": "ping"}"#), at: 1) }
        let end = habit == .carriageReturns ? "\r\n" : "\n"
        let space = habit == .noSpaces ? "" : " "
        var text = habit == .byteOrderMark ? "\u{FEFF}" : ""
        for (number, event) in events.enumerated() {
            if habit == .comments { text += ": waiting\(end)\(end)" }
            if habit == .ids { text += "id:\(space)\(number)\(end)" }
            if let type = event.type { text += "event:\(space)\(type)\(end)" }
            // Between two members, JSON may have a line break.
            let lines =
                habit == .splitData ? event.data.components(separatedBy: ", \"").joined(separator: ",\n\"") : event.data
            for line in lines.split(separator: "\n") { text += "data:\(space)\(line)\(end)" }
            text += end
        }
        return Data(text.utf8)
    }

    private var untypedEvents: [(type: String?, data: String)] {
        let deltas =
            texts.map { #"{"content": \#(Self.json($0))}"# }
            + arguments.map { #"{"tool_calls": [{"index": 0, "function": {"arguments": \#(Self.json($0))}}]}"# }
        let chunks = deltas.map { #"{"id": "c1", "choices": [{"index": 0, "delta": \#($0), "finish_reason": null}]}"# }
        let last = ending == .complete ? "[DONE]" : #"{"error": {"message": "overloaded"}}"#
        return (chunks + [#"{"id": "c1", "choices": [], "error": null, "usage": {"total_tokens": 7}}"#, last]).map {
            (nil, $0)
        }
    }

    private var typedEvents: [(type: String?, data: String)] {
        let deltas =
            texts.map { #"{"type": "text_delta", "text": \#(Self.json($0))}"# }
            + arguments.map { #"{"type": "input_json_delta", "partial_json": \#(Self.json($0))}"# }
        let blocks = deltas.map {
            ("content_block_delta", #"{"type": "content_block_delta", "index": 0, "delta": \#($0)}"#)
        }
        let start = ("message_start", #"{"type": "message_start", "message": {"id": "m1", "usage": {}}}"#)
        let other = ("content_block_start", #"{"type": "content_block_start", "index": 0}"#)
        let last =
            ending == .complete
            ? ("message_stop", #"{"type": "message_stop"}"#)
            : ("error", #"{"type": "error", "error": {"message": "overloaded"}}"#)
        return [start, other] + blocks + [last]
    }

    /// A string as JSON, in ASCII, as many servers write it.
    private static func json(_ text: String) -> String {
        let units = text.utf16.map { unit in
            switch unit {
            case 0x22, 0x5C: "\\" + String(UnicodeScalar(UInt8(unit)))
            case 0x20..<0x7F: String(UnicodeScalar(UInt8(unit)))
            default: "\\u" + String(repeating: "0", count: 4 - String(unit, radix: 16).count) + String(unit, radix: 16)
            }
        }
        return "\"\(units.joined())\""
    }
}
