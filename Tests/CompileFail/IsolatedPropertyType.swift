// expect: main actor-isolated conformance of 'Shelf' to 'Equatable' cannot be used in nonisolated context
// flags: -default-isolation MainActor
import APIKit

#if FAIL
struct Shelf: Decodable, Equatable { let name: String }
#else
nonisolated struct Shelf: Decodable, Equatable { let name: String }
#endif

struct Item: JSONResponse, Equatable { let shelf: Shelf }
