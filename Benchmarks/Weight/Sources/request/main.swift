// Sends many requests of three items to a server, and prints the processor's seconds of a request.
//
//     request ours|by-hand PORT WIDTH COUNT    COUNT requests, of which WIDTH are sent at once
//     request server                           prints the port of a server, which runs until its input ends

import APIKit
import APIKitTestServer
import WeightSupport

if CommandLine.arguments.dropFirst() == ["server"] {
    let list = String(decoding: Item.list(3), as: UTF8.self)
    let server = try LoopbackServer { _ in .json(list) }
    FileHandle.standardOutput.write(Data("\(server.port)\n".utf8))
    while readLine() != nil {}
    exit(0)
}

let contestant = Contestant.current
let numbers = CommandLine.arguments.dropFirst(2).compactMap { Int($0) }
guard numbers.count == 3 else { fatalError("request ours|by-hand PORT WIDTH COUNT") }
let (port, width, count) = (numbers[0], numbers[1], numbers[2])
let api = API(port: port)

@Sendable func send(_ count: Int) async throws {
    for _ in 0..<count {
        let items =
            switch contestant {
            case .ours: try await api.items()
            case .byHand: try await api.itemsByHand()
            }
        precondition(items.count == 3)
    }
}

/// Sends requests, of which some are sent at once.
func send(_ count: Int, width: Int) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<width { group.addTask { try await send(count / width) } }
        try await group.waitForAll()
    }
}

// The first requests open the connections.
try await send(width * 2, width: width)
let start = processorSeconds()
try await send(count, width: width)
print((processorSeconds() - start) / Double(count / width * width))
