// expect: a path takes a string, integer, UUID or enum, or \(list: values): format the value first
import APIKit

func path(of date: Date) -> URLPath {
    #if FAIL
    "days/\(date)"
    #else
    "days/\(Int(date.timeIntervalSince1970))"
    #endif
}
