// expect: cannot convert value of type 'Any'
import APIKitCore

func parameters(of value: Any) -> Parameters {
    #if FAIL
    ["value": value]
    #else
    ["value": value as? String]
    #endif
}
