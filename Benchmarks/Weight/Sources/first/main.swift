// Decodes each of many types once, and prints the processor's seconds of all: what a program does when it starts.
//
//     first ours|by-hand models|lists|nested

import WeightSupport

let contestant = Contestant.current
guard let kind = CommandLine.arguments.dropFirst(2).first.flatMap(First.Kind.init) else {
    fatalError("first ours|by-hand models|lists|nested")
}

let decodings =
    switch kind {
    case .models, .lists: modelDecodings
    case .nested: nestedDecodings
    }
let first = First(contestant: contestant, kind: kind)
let start = processorSeconds()
for decode in decodings { try decode(first) }
print(processorSeconds() - start)
