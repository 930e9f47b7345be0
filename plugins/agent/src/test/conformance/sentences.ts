/** What the specification says, in our words, by the file and the title of the test that shows it. */
export type Sentences = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>
