import Foundation

/// What a program measures, its first argument.
package enum Contestant: String {
    case ours
    /// Foundation alone: `URLSession`, and a `JSONDecoder` that all calls share.
    case byHand = "by-hand"

    /// The contestant in the arguments of this process; ends the process if there is none.
    package static var current: Contestant {
        guard let contestant = CommandLine.arguments.dropFirst().first.flatMap(Contestant.init) else {
            fatalError("the first argument must be ours or by-hand")
        }
        return contestant
    }
}

/// The processor's seconds that this process has taken so far.
package func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
