// What the practice model says: rules over the last message. A few words each show what an agent can do.

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

/** The answer to a request of the chat-completions protocol: text, and tools that are called. */
export function answerTo({ messages = [], tools = [] }) {
  const has = (name) => tools.some((tool) => tool.function?.name === name)
  const say = (text, ...calls) => ({ text, calls })
  const last = messages.at(-1)
  if (last?.role === 'tool') return say(`The tool says: ${wordsOf(last.content).slice(0, 600)}`)
  const whole = wordsOf(last?.content)
  // The words of the user stand last; what the host adds stands before them.
  const said = whole.split('\n').at(-1)?.trim() ?? ''
  const low = said.toLowerCase()
  if (whole.includes('<record>'))
    return say('The user tried out the practice model: tools, questions, the tree. Nothing is open.')
  if (/\b(?:roll|dice|die)\b/.test(low) && has('dice'))
    return say('Let me roll. ', { name: 'dice', input: { sides: 6 } })
  if (/\bask me\b/.test(low) && has('ask_user'))
    return say('', { name: 'ask_user', input: { question: 'Which do you like better?', choices: ['tea', 'coffee'] } })
  const command = /^run (.{1,200})$/.exec(low)
  if (command && has('bash'))
    return say('I would like to run that. ', { name: 'bash', input: { command: said.slice(4) } })
  if (/\bbackground\b/.test(low) && has('spawn_task'))
    return say('I start a sub-task. ', {
      name: 'spawn_task',
      input: { task: 'Say hello from a sub-task', label: 'hello' },
    })
  const fact = /^remember(?: that)? (.{1,400})$/.exec(low)
  if (fact && has('remember'))
    return say('', { name: 'remember', input: { text: said.replace(/^remember(?: that)? /i, '') } })
  if (/\bwhat do you (?:know|remember)\b/.test(low) && has('recall'))
    return say('', { name: 'recall', input: { query: '' } })
  if (low === '' || /\b(?:help|hello|hi|what can you do)\b/.test(low)) return say(HELP)
  return say(`You said: ${said.slice(0, 400)}`)
}
