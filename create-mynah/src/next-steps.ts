// What somebody reads last: what to type next, and what to edit.
import type { Answers } from './answers.js'
import type { Installed } from './install.js'

/** @param installed How the packages were installed; undefined where nobody asked for that. */
export function nextSteps({ kind, folder, page, name }: Answers, installed: Installed | undefined): string {
  const here = folder === '.' ? [] : [`cd ${folder}`]
  const steps = [
    ...here,
    ...(installed === 'installed' ? [] : ['npm install']),
    ...(page ? ['npm run build'] : []),
    'npm start',
  ]
  const edit =
    kind === 'bot'
      ? 'plugins/bot.ts is the bot, mynah.config.yml the host. "npm run dev" starts it again when you change something.'
      : kind === 'plugin'
        ? `src/index.ts is the plugin "${name}". "npm pack" makes the tarball that another host installs.`
        : 'src/index.ts is the adapter. "npm test" holds it against what every adapter must keep.'
  const missing =
    installed === 'failed'
      ? '\nThe packages are not installed: see above.\n'
      : installed === 'stopped'
        ? '\nStopped. The project is written, its packages are not installed yet.\n'
        : ''
  return `${missing}\n${steps.map((step) => `  ${step}`).join('\n')}\n\n${edit}\n`
}
