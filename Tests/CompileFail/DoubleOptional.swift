// expect: to leave a field out, set it or send null, use a Patch
import APIKit

func parameters(due: Date??) -> Parameters {
    #if FAIL
    ["due": due]
    #else
    ["due": due ?? nil]
    #endif
}
