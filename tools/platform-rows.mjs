// The rows by which platforms are compared, and the tests of the contract of adapters that show each.

/**
 * A row has the beginnings of the titles of its tests, with those of their suites. All of them must pass. A row without
 * tests is shown elsewhere, and the README of the adapter says where.
 */
export const ROWS = [
  ['the contract of adapters', ['']],
  ['all planes of Unicode', ['text comes and goes unchanged', 'delivery keeps every character']],
  ['the limit of a text, and the order of its parts', ['text at the limit']],
  ['replies', ['people answer a message', 'people are answered by a message']],
  ['mentions', ['people mention']],
  ['media in', ['media that a user sends']],
  ['media out', ['media of the bot']],
  ['media that are too large', []],
  ['its own messages are not heard', ['people do not include the bot']],
  ['other bots are not answered', ['people that are bots']],
  ['a message that comes again is handled once', ['delivery handles a message that is delivered again']],
  ['twenty deaths of the server', ['recovery loses no line']],
  ['the host dies before it handles a message', []],
  ['the host dies while it sends', []],
  ['the answer to a message is lost', ['faults of sending a message that was taken']],
  ['a limit of the rate', ['faults of sending a limit']],
  ['refusals', ['faults of sending a refusal']],
  ['a wrong secret', ['faults of the server a wrong secret']],
  ['a silent server', ['faults of the server a server that falls silent']],
  ['nonsense', ['faults of the server nonsense']],
  ['no secret is shown', ['faults of the server no secret']],
  ['private addresses are not fetched', []],
  ['edits and deletions', ['changes of a text', 'changes that delete']],
  ['reactions', ['reactions of the user', 'reactions of the bot']],
  ['threads', ['threads have']],
  ['buttons', ['buttons arrive']],
  ['the sign of typing', ['media show that the bot is typing']],
  ['two accounts', ['accounts do not hear', 'accounts are taken over']],
  ['memory', ['memory stays flat']],
  ['the README', []],
].map(([name, tests], index) => ({ number: index + 1, name, tests }))

/** Beginnings of tests that belong to the first row only. */
export const OTHERS = [
  'delivery hears',
  'delivery sends',
  'delivery answers',
  'delivery delivers again',
  'buttons are sent as words',
  'recovery reconnects',
  'recovery hears',
  'people have ids',
  'changes by the bot',
]
