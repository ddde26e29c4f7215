// Decodes a list of some items many times, and prints the processor's seconds of a time.
//
//     decode ours|by-hand ITEMS TIMES

import APIKit
import WeightSupport

let contestant = Contestant.current
guard CommandLine.arguments.count == 4, let items = Int(CommandLine.arguments[2]),
    let times = Int(CommandLine.arguments[3])
else { fatalError("decode ours|by-hand ITEMS TIMES") }

let data = Item.list(items)
let decoder = JSONDecoder()

func decode() throws {
    let list =
        switch contestant {
        case .ours: try [Item].process(data: data)
        case .byHand: try decoder.decode([Item].self, from: data)
        }
    precondition(list.count == items)
}

// The first time also finds conformances: the program `first` measures that.
try decode()
let start = processorSeconds()
for _ in 0..<times { try decode() }
print((processorSeconds() - start) / Double(times))
