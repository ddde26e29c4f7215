// expect: a path does not know how to write a date: format it first
import APIKit

func path(of date: Date) -> URLPath {
    #if FAIL
    "days/\(date)"
    #else
    "days/\(Int(date.timeIntervalSince1970))"
    #endif
}
