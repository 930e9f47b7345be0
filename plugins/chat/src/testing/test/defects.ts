/** Defects of an adapter, by the suite and the title of the test that notices them. */
export const DEFECTS = {
  delivery: {
    'acknowledges too early': 'delivers again a message that the store did not take',
    'takes all at once': 'hears what is said, once and in the order in which it was said',
    'makes ids of its own': 'handles a message that is delivered again once',
    'loses characters': 'keeps every character of a message',
  },
  text: {
    'cuts too much': 'at the limit of the platform is one message, and above it is cut into parts in order',
  },
  people: {
    'hears itself': 'do not include the bot itself: its own messages are not received',
    'takes bots for people': 'that are bots are not answered',
    'feels mentioned by all': 'mention the bot, another user or everybody',
    'forgets quotes': 'answer a message of the bot by its id',
    'quotes nothing': 'are answered by a message that quotes theirs',
  },
  changes: {
    'takes edits for messages': 'of a text are noticed, and not handled as a message',
    'does not edit': 'by the bot replace its message',
  },
  reactions: {
    'adds every reaction': 'of the user are noticed',
    'keeps its reactions': 'of the bot are shown',
  },
  threads: {
    'knows no threads': 'have a channel of their own, and are answered where they are',
  },
  media: {
    'damages media': 'of the bot reach the user',
    'types in secret': 'show that the bot is typing',
  },
  sendFaults: {
    'does not know refusals': 'a refusal is final, with the reason of the platform',
    'is impatient': 'a limit of the rate is waited for, as long as the platform says',
    'repeats by itself': 'a message that was taken without an answer is not sent twice',
    'ignores the key': 'a message that was taken without an answer is not sent twice',
  },
  serverFaults: {
    'hides the reason': 'a wrong secret keeps the endpoint offline, and the reason names the key',
    'waits for ever': 'a server that falls silent is noticed',
    'believes every frame': 'nonsense is ignored, and good messages in between are received',
    'says its token': 'no secret is in the log, an event or a reason',
  },
  accounts: {
    'speaks in one room': 'do not hear the messages of the other one, and speak for themselves',
    'logs its account out': 'are taken over by a host that starts before the former one has ended',
  },
  recovery: {
    'reconnects by itself': 'reconnects within 1.5 times the downtime and a second, and hears and speaks again',
  },
  memory: {
    'keeps everything': 'stays flat while messages come in and are answered',
  },
} as const
type Suites = typeof DEFECTS
export type Defect = { [S in keyof Suites]: keyof Suites[S] }[keyof Suites]
