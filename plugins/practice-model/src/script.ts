// The script of the practice model: the last message decides the answer. Each rule shows a feature of agents.

/** A request of the chat-completions protocol, as far as the script reads it. */
export interface Asked {
  readonly messages?: readonly Message[]
  readonly tools?: readonly { readonly function?: { readonly name?: string } }[]
  readonly stream?: boolean
}

interface Message {
  readonly role: string
  readonly content?: string | readonly { readonly text?: string }[] | null
  readonly tool_calls?: readonly { readonly function?: { readonly name?: string } }[]
}

interface Call {
  readonly name: string
  readonly input: unknown
}

/** An answer, and the tools that it calls. */
export interface Answer {
  readonly text: string
  readonly calls: readonly Call[]
}

const HELP = `I am a practice model: a script, not an intelligence. Try:
- "roll a die": a tool
- "ask me something": a question
- "remember that I like tea": memory
- "run touch list.txt": a command that you approve
- "every minute say tick": a job

"Give it a model" on the dashboard replaces me.`

const QUESTION = { question: 'Which do you like better?', choices: ['tea', 'coffee'] }

/** Calls of tools by the words of the user. The first rule that fits wins. */
const RULES: readonly {
  readonly pattern: RegExp
  readonly text?: string
  call(...found: string[]): Call | undefined
}[] = [
  { pattern: /^use (\w{1,64})(?: (\{.{0,2000}\}))?$/s, call: (name = '', input = '{}') => withInput(name, input) },
  {
    pattern: /^run (.{1,200})$/i,
    text: 'I would like to run that. ',
    call: (command) => toolCall('bash', { command }),
  },
  {
    pattern: /^every minute (.{1,200})$/i,
    call: (prompt) => toolCall('cron_add', { cron_expression: '* * * * *', prompt, notify_channel: 'im' }),
  },
  { pattern: /^remember(?: that)? (.{1,400})$/i, call: (text) => toolCall('remember', { text }) },
  { pattern: /\bwhat do you (?:know|remember)\b/i, call: () => toolCall('recall', {}) },
  { pattern: /\bask me\b/i, call: () => toolCall('ask_user', QUESTION) },
  { pattern: /\b(?:roll|dice|die)\b/i, text: 'Let me roll. ', call: () => toolCall('dice', { sides: 6 }) },
  {
    pattern: /\bbackground\b/i,
    text: 'I start a sub-task. ',
    call: () => toolCall('spawn_task', { task: 'Say hello from a sub-task', label: 'hello' }),
  },
]

const toolCall = (name: string, input: unknown): Call => ({ name, input })

function withInput(name: string, input: string): Call | undefined {
  try {
    return toolCall(name, JSON.parse(input))
  } catch {
    // No JSON: an ordinary message.
    return undefined
  }
}

/** Returns the answer to a request. */
export function answerTo({ messages: all = [], tools = [] }: Asked): Answer {
  const messages = all.filter((message) => !isNote(message))
  const last = messages.at(-1)
  const whole = wordsOf(last)
  if (whole.includes('<record>')) return say('The user tried out the practice model. Nothing is open.')
  const names = new Set(tools.map((tool) => tool.function?.name))
  const said = wordsOfUser(messages.findLast(({ role }) => role === 'user'))
  const rule = ruleFor(said)
  const isResult = last?.role === 'tool'
  if (rule && (!isResult || hasSearched(messages))) {
    if (names.has(rule.call.name)) return say(rule.text, rule.call)
    // A tool that is not at hand is a search away.
    if (!isResult && names.has('tool_search')) return say('', toolCall('tool_search', { query: rule.call.name }))
  }
  if (isResult) return say(`The tool says: ${whole.slice(0, 600)}`)
  return plainAnswer(said)
}

function plainAnswer(said: string): Answer {
  const [, words] = /^say (.{1,400})$/is.exec(said) ?? []
  if (words !== undefined) return say(words)
  if (said === '' || /\b(?:help|hello|hi|what can you do)\b/i.test(said)) return say(HELP)
  return say(`You said: ${said.slice(0, 400)}`)
}

/** Returns the call that the words of the user are a rule for. */
function ruleFor(said: string): { readonly text: string; readonly call: Call } | undefined {
  for (const { pattern, text = '', call: callOf } of RULES) {
    const found = pattern.exec(said)
    const call = found ? callOf(...found.slice(1)) : undefined
    if (call) return { text, call }
  }
  return undefined
}

/** Returns whether the last calls were a search for a tool. */
function hasSearched(messages: readonly Message[]): boolean {
  const calls = messages.findLast(({ role }) => role === 'assistant')?.tool_calls ?? []
  return calls.some((call) => call.function?.name === 'tool_search')
}

const textsOf = ({ content }: Message): readonly string[] =>
  typeof content === 'string' ? [content] : (content ?? []).map(({ text }) => text ?? '').filter((text) => text !== '')

const wordsOf = (message: Message | undefined): string => (message ? textsOf(message).join('\n') : '')

/** Returns the words of the user. The host adds its own parts around them, and in a group an element. */
function wordsOfUser(message: Message | undefined): string {
  const texts = message ? textsOf(message) : []
  // Without an answer in between, the messages of two turns are one.
  const last = texts.slice(texts.findLastIndex((text) => text.startsWith('[It is ')))
  const said = last.join('\n')
  const start = said.indexOf('>\n', said.indexOf('<message ')) + 2
  const end = said.indexOf('\n</message>', start)
  const isElement = said.includes('<message ') && start > 1 && end >= 0
  const words = (isElement ? said.slice(start, end) : undefined) ?? last[1] ?? last[0]?.split('\n').at(-1) ?? ''
  // A message of the owner is added to an answer that is being written.
  return words.replace(/^\[The user adds\] /, '').trim()
}

/** Returns whether a message only says what the user has asked meanwhile, and another answer is given to. */
const isNote = (message: Message): boolean =>
  message.role === 'user' && (textsOf(message)[0] ?? '').startsWith('[Said by the same user since')

const say = (text: string, ...calls: readonly Call[]): Answer => ({ text, calls })
