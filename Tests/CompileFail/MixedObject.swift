// expect: cannot convert value of type '[String : Any]' to expected dictionary value type '(any ParameterValue)?'
import APIKitCore

func parameters() -> Parameters {
    #if FAIL
    ["user": ["name": "Ada", "age": 36]]
    #else
    ["user": .object(["name": "Ada", "age": 36]), "mixed": .list([1, "a", .object(["b": 2])])]
    #endif
}
