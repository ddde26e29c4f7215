// expect: a path takes a string, integer, UUID or enum: unwrap the optional first
import APIKitCore

func path(of login: String?) -> URLPath {
    #if FAIL
    "users/\(login)"
    #else
    "users/\(login ?? "nobody")"
    #endif
}
