// expect: main actor-isolated let 'payEncoder' can not be referenced from a nonisolated context
// flags: -default-isolation MainActor
import APIKit

#if FAIL
let payEncoder = JSONEncoder()
#else
nonisolated let payEncoder = JSONEncoder()
#endif

struct Payment: JSONBody {
    let cents: Int
    static var encoder: JSONEncoder { payEncoder }
}
