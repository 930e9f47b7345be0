// No error of the store reaches a chat. Operators alone read in private which part of the host is missing, in one line.

/** The store of a history fails with a code of SQLite. */
const INTERNAL = /SQLITE|database|\n\s+at /i

const MISSING = /^That cannot be done at the moment: [^\n]+$/
/** The master and the trusted person of each endpoint. */
const OPERATORS = new Set(['owner', 'tess'])

const isForOperator = ({ type, id }, text) => type === 'private' && OPERATORS.has(id) && MISSING.test(text)

export const nothingInternal = {
  name: 'no error of the store reaches a chat',
  check: ({ shown }) =>
    shown.flatMap(({ id, channel, texts }) =>
      texts
        .filter((text) => INTERNAL.test(text) && !isForOperator(channel, text))
        .map((text) => `${id} has shown ${JSON.stringify(text)}`),
    ),
}
