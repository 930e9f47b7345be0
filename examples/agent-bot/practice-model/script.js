// The rules of the practice model: the last message decides the answer. Each rule shows a feature of agents.

const HELP = `I am a practice model: a script, not an intelligence. Try one of these:
- "roll a die" calls a tool
- "ask me something" asks you, and waits for your answer
- "run date" runs a command that only looks; "run touch list.txt" needs the approval of the owner
- "do it in the background" starts a sub-task
- "remember that …" and "what do you know?" use the memory
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
    call: () => ({ name: 'recall', input: { query: '' } }),
  },
]

/** Returns the answer to a request of the chat-completions protocol: a text, and calls of tools. */
export function answerTo({ messages = [], tools = [] }) {
  const last = messages.at(-1)
  const whole = wordsOf(last?.content)
  if (last?.role === 'tool') return say(`The tool says: ${whole.slice(0, 600)}`)
  if (whole.includes('<record>'))
    return say('The user tried out the practice model: tools, questions, the tree. Nothing is open.')
  // The words of the user are in the last line; the host adds its own before them.
  const said = whole.split('\n').at(-1)?.trim() ?? ''
  const names = new Set(tools.map((tool) => tool.function?.name))
  for (const { pattern, text, call } of TOOL_RULES) {
    const match = pattern.exec(said)
    const called = match && call(match[1])
    if (called && names.has(called.name)) return say(text, called)
  }
  if (said === '' || /\b(?:help|hello|hi|what can you do)\b/i.test(said)) return say(HELP)
  return say(`You said: ${said.slice(0, 400)}`)
}

const say = (text, ...calls) => ({ text, calls })
