// Foundation's values, as in the modules that use this one. Only modules of this package can import it, so that nothing
// is exported to programs.
#if canImport(FoundationEssentials)
@_exported public import FoundationEssentials
#else
@_exported public import Foundation
#endif
