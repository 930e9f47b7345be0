import type { Answers, Kind } from './answers.js'
import type { Installed } from './install.js'
import { variablesOf, type Platform } from './platforms.js'

/**
 * Returns the last lines of the output: the next commands, and the file to edit.
 *
 * @param installed how the installation ended, or undefined when there was none
 */
export function nextSteps(answers: Answers, installed: Installed | undefined): string {
  const { kind, folder, page, name } = answers
  const here = folder === '.' ? [] : [`cd ${folder}`]
  const steps = [
    ...here,
    ...(installed === 'installed' ? [] : ['npm install']),
    ...(page ? ['npm run build'] : []),
    'npm start',
  ]
  const problem = installed ? PROBLEMS[installed] : ''
  // Without an installation it does not start, so what to type is not for the next time.
  const heading = answers.start && installed === 'installed' ? 'It starts now. The next time:\n' : ''
  const lines = steps.map((step) => `  ${step}`).join('\n')
  const talk = kind === 'bot' ? firstWords(answers) : ''
  return `${problem}\n${heading}${lines}\n${talk}\n${fileToEdit(kind, name)}\n`
}

/** How one talks to a bot on each platform; an empty text says nothing. */
const FIRST_WORDS: Readonly<Record<Platform, (bot: FirstWords) => string>> = {
  sandbox: () => '',
  dingtalk: ({ hello }) => `On DingTalk, in a private chat with the robot, or mention it in a group: ${hello}`,
  discord: ({ hello }) => `On Discord, in a private chat with the bot: ${hello}`,
  irc: ({ isThinking, valueOf }) =>
    `On IRC, in ${valueOf('IRC_CHANNEL')}: ${isThinking ? `${valueOf('IRC_NICK')}: hello` : '!help'}`,
  lark: ({ hello }) => `On Lark, in a private chat with the bot: ${hello}`,
  mail: ({ hello, valueOf }) => `By mail, to ${valueOf('MAIL_USER') || 'the mailbox of the bot'}: ${hello}`,
  matrix: ({ isThinking, valueOf }) =>
    `On Matrix, in a room without encryption: invite ${valueOf('MATRIX_USER') || 'the bot'}, ` +
    `then ${isThinking ? 'mention it and say hello' : '!help'}`,
  onebot: () => 'On QQ: README.md says how the OneBot server connects, then /help to the account',
  slack: ({ isThinking }) => `On Slack, in a private chat with the bot: ${isThinking ? 'hello' : '!help'}`,
  telegram: ({ hello }) => `On Telegram, in a private chat with the bot: ${hello}`,
  webhook: ({ hello }) => `Over HTTP, in another terminal: npm run peer, then ${hello}`,
  xmpp: ({ isThinking, valueOf }) =>
    `On XMPP, to ${valueOf('XMPP_JID') || 'the bot'}: ${isThinking ? 'hello' : '!help'}`,
}

interface FirstWords {
  /** Whether a model answers. */
  readonly isThinking: boolean
  /** The first message where a command begins with a slash. */
  readonly hello: string
  readonly valueOf: (variable: string) => string
}

/** Returns how one talks to a bot on its platform. */
function firstWords({ platform, name, model, values }: Answers): string {
  const isThinking = model !== 'none'
  const words = FIRST_WORDS[platform]({
    isThinking,
    hello: isThinking ? 'hello' : '/help',
    valueOf: (variable) =>
      values[variable] ?? variablesOf(platform, name).find((known) => known.name === variable)?.fallback ?? '',
  })
  return words && `\n${words}\n`
}

const PROBLEMS: Readonly<Record<Installed, string>> = {
  installed: '',
  failed: '\nThe packages are not installed: see above.\n',
  stopped: '\nStopped. The project is written, its packages are not installed yet.\n',
}

function fileToEdit(kind: Kind, name: string): string {
  switch (kind) {
    case 'bot':
      return 'plugins/bot.ts is the bot, mynah.config.yml the host. "npm run dev" restarts it after each change.'
    case 'plugin':
      return `src/index.ts is the plugin "${name}". "npm pack" makes the tarball that another host installs.`
    case 'adapter':
      return 'src/index.ts is the adapter. "npm test" runs the tests that every adapter must pass.'
  }
}
