extension Prose {
    /// Puts a sentence about what an endpoint does in the third person:
    ///
    ///     Delete a branch.                    Deletes a branch.
    ///     Permanently delete a branch.        Permanently deletes a branch.
    ///     Create or update a branch.          Creates or updates a branch.
    ///     Returns a list of branches.         Lists branches.
    ///     The current user.                   The current user.
    ///
    /// The last form, a name with an article, can only be a summary.
    ///
    /// - Returns: The sentence; nil if it has none of these forms, for example if it does not begin with a verb.
    static func action(_ sentence: String, isSummary: Bool) -> String? {
        var words = sentence.split(separator: " ").map(String.init)
        let beginsWithArticle = ["A", "An", "The"].contains(words.first)
        if beginsWithArticle {
            return isSummary && isName(words) ? sentence : nil
        }
        // An adverb may precede the verb: `Permanently deletes …`.
        let hasAdverb = words.first?.hasSuffix("ly") == true
        let verbIndex = hasAdverb ? 1 : 0
        guard words.count > verbIndex + 1, let verb = thirdPerson(words[verbIndex]) else { return nil }
        words[verbIndex] = verb
        makeSecondVerbThirdPerson(afterFirstAt: verbIndex, in: &words)
        return withoutReturnsAListOf(words.joined(separator: " "))
    }

    /// Whether words that begin with an article are only a name: a verb such as "is" would make them a statement.
    private static func isName(_ words: [String]) -> Bool {
        !words.prefix(4).contains { word in
            ["is", "are", "will", "can"].contains(word) || word.hasPrefix("`")
        }
    }

    /// Conjugates a second verb: `Creates or update` becomes `Creates or updates`. The index is that of the first verb.
    private static func makeSecondVerbThirdPerson(afterFirstAt index: Int, in words: inout [String]) {
        guard words.count > index + 2, ["and", "or"].contains(words[index + 1]) else { return }
        if let verb = thirdPerson(words[index + 2]) { words[index + 2] = verb }
    }

    /// Replaces a long beginning by the verb "Lists": `returns a list of users.` becomes `Lists users.` Other sentences
    /// only get a capital.
    private static func withoutReturnsAListOf(_ sentence: String) -> String {
        for start in ["returns a list of ", "gets a list of ", "retrieves a list of "] where sentence.hasPrefix(start) {
            return "Lists \(sentence.dropFirst(start.count))"
        }
        return capitalized(sentence)
    }

    /// Removes the verb from a sentence that only says what is returned: `Gets the logo.` becomes `The logo.`
    /// Other sentences stay as they are.
    static func result(_ sentence: String) -> String {
        let parts = sentence.split(separator: " ", maxSplits: 2).map(String.init)
        guard parts.count > 2 else { return sentence }
        let isReturned = ["Gets", "Lists", "Retrieves", "Returns", "Fetches", "Shows"].contains(parts[0])
        let hasArticle = ["a", "an", "the"].contains(parts[1])
        guard isReturned, hasArticle else { return sentence }
        return "\(capitalized(parts[1])) \(parts[2])"
    }

    /// The third person of a verb: `creates` for `Create` and `creates`. Nil if the word is not a known verb.
    static func thirdPerson(_ word: String) -> String? {
        let word = word.lowercased()
        if word.mayBe(.verb) { return conjugated(word) }
        guard word.hasSuffix("s") else { return nil }
        // The verbs that the word could be the third person of.
        let possibleVerbs = [
            String(word.dropLast()),  // `creates` of `create`
            String(word.dropLast(2)),  // `pushes` of `push`
            word.dropLast(3) + "y",  // `applies` of `apply`
        ]
        let isThirdPerson = possibleVerbs.contains { $0.mayBe(.verb) }
        return isThirdPerson ? word : nil
    }

    /// The third person of a verb in its basic form: `creates`, `pushes`, `applies`.
    private static func conjugated(_ verb: String) -> String {
        if verb.hasSuffix("y"), let letterBeforeY = verb.dropLast().last, !"aeiou".contains(letterBeforeY) {
            return verb.dropLast() + "ies"
        }
        let needsE = ["s", "sh", "ch", "x", "o"].contains { verb.hasSuffix($0) }
        return verb + (needsE ? "es" : "s")
    }
}
