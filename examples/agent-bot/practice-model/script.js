// The rules of the practice model: the last message decides the answer. Each rule shows a feature of agents.

const HELP = `I am a practice model: a script, not an intelligence. Try one of these:
- "roll a die" calls a tool
- "ask me something" asks you, and waits for your answer
- "run date" runs a command that only looks; "run touch list.txt" needs the approval of the owner
- "do it in the background" starts a sub-task
- "remember that I like tea" and "what do you know of me?" use the memory
- /tree, /compact, /usage and /reset are commands of the agent
Everything else I repeat. A real model takes my place with two lines of configuration.`

const wordsOf = (content) =>
  typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join('\n')

/** Calls of tools by the words of the user. The first rule whose tool exists wins. */
const TOOL_RULES = [
  {
    pattern: /\b(?:roll|dice|die)\b/i,
    text: 'Let me roll. ',
    call: () => ({ name: 'dice', input: { sides: 6 } }),
  },
  {
    pattern: /\bask me\b/i,
    text: '',
    call: () => ({
      name: 'ask_user',
      input: { question: 'Which do you like better?', choices: ['tea', 'coffee'] },
    }),
  },
  {
    pattern: /^run (.{1,200})$/i,
    text: 'I would like to run that. ',
    call: (command) => ({ name: 'bash', input: { command } }),
  },
  {
    pattern: /^refund (\w{1,20})$/i,
    text: '',
    call: (order) => ({ name: 'refund', input: { order } }),
  },
  {
    pattern: /\bbackground\b/i,
    text: 'I start a sub-task. ',
    call: () => ({ name: 'spawn_task', input: { task: 'Say hello from a sub-task', label: 'hello' } }),
  },
  {
    pattern: /^remember(?: that)? (.{1,400})$/i,
    text: '',
    call: (text) => ({ name: 'remember', input: { text } }),
  },
  {
    pattern: /\bwhat do you (?:know|remember)\b/i,
    text: '',
    call: () => ({ name: 'recall', input: {} }),
  },
]

/** Returns the words of the user. The host adds its own parts around them, and in a group an element. */
function wordsOfUser({ content }) {
  const texts = (typeof content === 'string' ? [content] : (content ?? []).map((part) => part.text)).filter(Boolean)
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
const isNote = ({ role, content }) =>
  role === 'user' && String(content?.[0]?.text ?? content).startsWith('[Said by the same user since')

/** Returns the call that the words of the user are a rule for. */
function ruleFor(said) {
  for (const { pattern, text, call } of TOOL_RULES) {
    const match = pattern.exec(said)
    if (match) return { text, call: call(match[1]) }
  }
  return undefined
}

/** Returns the answer to a request of the chat-completions protocol: a text, and calls of tools. */
export function answerTo({ messages: all = [], tools = [] }) {
  const messages = all.filter((message) => !isNote(message))
  const last = messages.at(-1)
  const whole = wordsOf(last?.content)
  if (whole.includes('<record>'))
    return say('The user tried out the practice model: tools, questions, the tree. Nothing is open.')
  const names = new Set(tools.map((tool) => tool.function?.name))
  const asked = messages.findLast(({ role }) => role === 'user')
  const said = asked ? wordsOfUser(asked) : ''
  const rule = ruleFor(said)
  const isResult = last?.role === 'tool'
  if (rule && (!isResult || hasSearched(messages))) {
    if (names.has(rule.call.name)) return say(rule.text, rule.call)
    // A tool that is not at hand is a search away.
    if (!isResult && names.has('tool_search')) return say('', { name: 'tool_search', input: { query: rule.call.name } })
  }
  if (isResult) return say(`The tool says: ${whole.slice(0, 600)}`)
  return plainAnswer(said)
}

/** Returns whether the last calls were a search for a tool. */
function hasSearched(messages) {
  const calls = messages.findLast(({ role }) => role === 'assistant')?.tool_calls ?? []
  return calls.some((call) => call.function?.name === 'tool_search')
}

function plainAnswer(said) {
  if (said === '' || /\b(?:help|hello|hi|what can you do)\b/i.test(said)) return say(HELP)
  return say(`You said: ${said.slice(0, 400)}`)
}

const say = (text, ...calls) => ({ text, calls })
