// expect: `encoder` must be a JSONEncoder
import APIKitCore
import Foundation

struct Item: JSONBody {
    let id: Int
    #if FAIL
    static var encoder: JSONDecoder { JSONDecoder() }
    #else
    static var encoder: JSONEncoder { JSONEncoder() }
    #endif
}

let body = RequestBody.json(Item(id: 1))
