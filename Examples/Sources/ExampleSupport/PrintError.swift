import APIKit

/// Prints a line about a failure to standard error, so that it is not taken for a result if the output goes to a file.
public func printError(_ text: String) {
    FileHandle.standardError.write(Data("\(text)\n".utf8))
}
