// What the store says of itself reaches no chat.

/** The store of a history fails with a code of SQLite. */
const INTERNAL = /SQLITE|database|\n\s+at /i

export const nothingInternal = {
  name: 'no error of the store reaches a chat',
  check: ({ shown }) =>
    shown.flatMap(({ id, texts }) =>
      texts.filter((text) => INTERNAL.test(text)).map((text) => `${id} has shown ${JSON.stringify(text)}`),
    ),
}
