// Foundation's values (`URL`, `Data`, `Date`, `UUID`) are part of the API, so one import is enough. On Linux
// FoundationEssentials has all that is needed, and keeps ICU out of programs.
#if canImport(FoundationEssentials)
@_exported public import FoundationEssentials
#else
@_exported public import Foundation
#endif
