// expect: requires that 'Item' conform to 'JSONBody'
import APIKitCore

#if FAIL
struct Item: Encodable { let id: Int }
#else
struct Item: JSONBody { let id: Int }
#endif

let body = RequestBody.json(Item(id: 1))
