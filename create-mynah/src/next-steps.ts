import type { Answers, Kind } from './answers.js'
import type { Installed } from './install.js'

/**
 * Returns the last lines of the output: the next commands, and the file to edit.
 *
 * @param installed how the installation ended, or undefined when there was none
 */
export function nextSteps({ kind, folder, page, name }: Answers, installed: Installed | undefined): string {
  const here = folder === '.' ? [] : [`cd ${folder}`]
  const steps = [
    ...here,
    ...(installed === 'installed' ? [] : ['npm install']),
    ...(page ? ['npm run build'] : []),
    'npm start',
  ]
  const problem = installed ? PROBLEMS[installed] : ''
  return `${problem}\n${steps.map((step) => `  ${step}`).join('\n')}\n\n${fileToEdit(kind, name)}\n`
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
