// expect: `decoder` must be a DataDecoder
import APIKitCore
import Foundation

struct Item: JSONResponse {
    let id: Int
    #if FAIL
    static var decoder: String { "snake case" }
    #else
    static var decoder: any DataDecoder { JSONDecoder() }
    #endif
}
