import type { Answers, Kind } from './answers.js'
import type { Installed } from './install.js'
import { variablesOf } from './platforms.js'

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

/** Returns how one talks to a bot on its platform. */
function firstWords({ platform, name, model, values }: Answers): string {
  const valueOf = (variable: string): string =>
    values[variable] ?? variablesOf(platform, name).find((known) => known.name === variable)?.fallback ?? ''
  const hello = model === 'none' ? '!help' : `${valueOf('IRC_NICK')}: hello`
  switch (platform) {
    case 'irc':
      return `\nOn IRC, in ${valueOf('IRC_CHANNEL')}: ${hello}\n`
    case 'telegram':
      return `\nOn Telegram, in a private chat with the bot: ${model === 'none' ? '/help' : 'hello'}\n`
    case 'sandbox':
      return ''
  }
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
