// expect: send a JSONBody with .json(_:), which asks its encoder
import APIKitCore

#if FAIL
struct Filter: JSONBody { let page: Int }
#else
struct Filter: Encodable { let page: Int }
#endif

let parameters = Parameters(encoding: Filter(page: 1))
