/** Sentences of the specification, in our words, by the file and the title of the test that shows them. */
export type Sentences = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>
