import APIKitCore
import APIKitTesting

/// Creates values that a schema allows, for a response type to decode.
///
/// A sample is created several times. Wherever the schema allows several values, such as the constants of an enum, the
/// sample makes a choice. If the type cannot decode the sample, ``replaceCause(of:)`` replaces the choice that caused
/// the error, and the next value has another alternative there.
///
/// For example, the schema of a date may only say that it is a string. The first value has the text `text` there. After
/// the error that this is not a date, the next one has `2026-11-20T18:30:00Z`.
struct SampleValue {
    /// Which of the values that a schema allows is created.
    enum Variation: Equatable {
        /// A value with all members, without null.
        case full
        /// A value with only the members that are required.
        case required
        /// A value with null wherever the schema allows it.
        case null
        /// A value with the constant of each enum and the alternative of each `oneOf` or `anyOf` that has this index.
        case other(Int)
    }

    /// A place at which the schema allows several values.
    struct Choice {
        /// The path of the place in the sample, in the form of ``SampleValue/path(of:)``.
        let path: String
        /// The schema of the place, as a JSON pointer.
        let pointer: String
        /// The number of values to choose from.
        let count: Int
        /// Whether the values are guesses at what a model may decode, such as a date, since the schema allows any
        /// scalar of a type. Otherwise, the schema lists the values, so the model has to decode all of them.
        let isGuess: Bool
    }

    let variation: Variation
    /// The index of the value that is chosen at each path; 0 at all others. A full sample changes them in
    /// ``replaceCause(of:)``. Its variations have the same, except where they vary from it.
    private(set) var selectedIndexes: [String: Int]
    /// The paths at which a variation has the value of the full sample, since the model could not decode the varied
    /// value there.
    private var pathsOfFullValues: Set<String> = []
    /// The choices in the value that was created last, by their paths.
    private var choices: [String: Choice] = [:]
    /// How many schemas the current value has used.
    var schemaCount = 0

    // Schemas can describe values of exponential size or without an end. The limits keep a sample small.
    static let schemaLimit = 3_000
    static let depthLimit = 12

    /// Creates a sample whose values are still to be created.
    ///
    /// - Parameters:
    ///   - variation: Which of the allowed values is created.
    ///   - selectedIndexes: The indexes of the full sample from which a variation is created.
    init(_ variation: Variation, selectedIndexes: [String: Int] = [:]) {
        self.variation = variation
        self.selectedIndexes = selectedIndexes
    }

    /// Creates the value with the choices so far; nil if that is impossible, as for a schema without a type.
    mutating func value(of schema: Definition) -> JSONValue? {
        choices = [:]
        schemaCount = 0
        return value(of: schema, at: Position())
    }

    // MARK: - Replacing choices

    /// How many values the largest choice has, apart from guesses: the number of samples that cover all constants and
    /// alternatives. Of more than 50, the rest is not covered, since decoding that many samples takes long.
    var choiceCount: Int {
        var largest = 1
        for choice in choices.values where !choice.isGuess { largest = max(largest, choice.count) }
        return min(largest, 50)
    }

    /// Selects another value for the choice that may have caused a decoding error: the choice at the place of the error
    /// or, if that has no other value left, the nearest one around it. For example, an error at `/owner/login` may be
    /// due to the alternative that was chosen for `/owner`.
    ///
    /// - Returns: The choice that now has another value; nil if none of them has one left.
    mutating func replaceCause(of error: any Error) -> Choice? {
        let names = Self.names(of: error)
        for length in (0...names.count).reversed() {
            let path = Self.path(of: names.prefix(length))
            guard let choice = choices[path] else { continue }
            if choice.isGuess {
                // Another guess has another content, but the same type and the same place. So it only helps against an
                // error about the content of this very value.
                let isAtError = length == names.count
                guard isAtError, Self.isAboutContent(error) else { continue }
            }
            if selectNext(of: choice) { return choice }
        }
        return nil
    }

    /// Whether the decoder has found a scalar of the right type, but with the wrong content, such as a text that is not
    /// a date.
    private static func isAboutContent(_ error: any Error) -> Bool {
        switch error as? DecodingError {
        case .dataCorrupted?: true
        default: false
        }
    }

    /// Replaces the value at the place of a choice by another one.
    ///
    /// A full sample, the one with all members and without null, gets the next value that the schema allows there. A
    /// variation of it, such as the one with null wherever that is allowed, gets the value of the full sample there.
    ///
    /// - Returns: False if there is no other value.
    private mutating func selectNext(of choice: Choice) -> Bool {
        switch variation {
        case .full: selectNextIndex(of: choice)
        case .required, .null, .other: selectFullValue(of: choice)
        }
    }

    /// Selects the value with the next index for a choice of the full sample. Returns false if the last one is selected
    /// already.
    private mutating func selectNextIndex(of choice: Choice) -> Bool {
        let nextIndex = selectedIndexes[choice.path, default: 0] + 1
        guard nextIndex < choice.count else { return false }
        selectedIndexes[choice.path] = nextIndex
        return true
    }

    /// Selects the value of the full sample for a choice of a variation. Returns false if it is selected already.
    private mutating func selectFullValue(of choice: Choice) -> Bool {
        if pathsOfFullValues.contains(choice.path) { return false }
        pathsOfFullValues.insert(choice.path)
        return true
    }

    // MARK: - Choosing

    /// Records a path at which the sample may vary from the full one, as a choice between the two.
    ///
    /// - Returns: Whether it varies there; false after ``replaceCause(of:)`` has selected the value of the full sample,
    ///   since the model could not decode the varied one.
    mutating func recordVariation(at path: String, _ pointer: String) -> Bool {
        choices[path] = Choice(path: path, pointer: pointer, count: 2, isGuess: false)
        return !pathsOfFullValues.contains(path)
    }

    /// Chooses one of several values that the schema allows at a path.
    ///
    /// - A full sample has the value with the selected index, and records the place as a choice.
    /// - The variation ``Variation/other(_:)`` has the value with its own index there or, if there are fewer values,
    ///   the last one. It does not vary guesses.
    /// - All other variations have the value of the full sample.
    ///
    /// - Parameters:
    ///   - count: The number of values.
    ///   - path: The path.
    ///   - schema: The schema that allows the values.
    ///   - isGuess: Whether the values are guesses at a scalar, not listed by the schema.
    /// - Returns: The index of the value.
    mutating func chooseIndex(
        below count: Int, at path: String, of schema: Definition, isGuess: Bool = false
    ) -> Int {
        let last = count - 1
        let selectedIndex = min(selectedIndexes[path, default: 0], last)
        guard count > 1 else { return selectedIndex }
        switch variation {
        case .full:
            recordChoice(Choice(path: path, pointer: schema.pointer, count: count, isGuess: isGuess))
            return selectedIndex
        case .other(let index):
            if isGuess { return selectedIndex }
            let isVaried = recordVariation(at: path, schema.pointer)
            return isVaried ? min(index, last) : selectedIndex
        case .required, .null:
            return selectedIndex
        }
    }

    /// Remembers a choice, unless its path already has one whose values the schema lists.
    ///
    /// For example, an alternative of `oneOf` and a guess at the scalar in it have the same path. Only the choice of
    /// the alternative is remembered.
    private mutating func recordChoice(_ choice: Choice) {
        if let existing = choices[choice.path], !existing.isGuess { return }
        choices[choice.path] = choice
    }
}
