// The default decoder, and Foundation's values (`URL`, `Data`, `Date`, `UUID`), which it hands on: both are part of the
// API, so one import is enough.
@_exported public import APIKitJSON
