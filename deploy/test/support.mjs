// Shared by the tests of deployment files: programs that may be missing, free ports, a host with its console.
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../../tools/lib.mjs'
import { freePort, TrialHost } from '../../tools/trial.mjs'

export { skipBecause } from '../../kernel/dist/testing.js'

export const deploy = join(root, 'deploy')
export const TOKEN = 'a-token-for-the-tests-of-deploying'

export const has = (program) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0
export const run = (program, args, options) =>
  promisify(execFile)(program, args, options).catch((error) => {
    throw new Error(`${program}: ${error.stdout}${error.stderr}`, { cause: error })
  })

/** Creates a temporary folder. */
export function folderFor(name) {
  const folder = mkdtempSync(join(tmpdir(), `mynah-${name}-`))
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Starts a host in `folder` with the plugins that the dashboard and the console need. */
export async function startHost(folder, http = {}) {
  const port = await freePort()
  const section = JSON.stringify({ port, token: TOKEN, ...http })
  writeFileSync(
    join(folder, 'mynah.config.yml'),
    [
      'plugins: [http-core, console-rpc, events, entries, management, chat, adapter-sandbox, workspace]',
      `http: ${section}`,
      'endpoints: [{ adapter: sandbox, id: sandbox }]\n',
    ].join('\n'),
  )
  return new TrialHost(process.execPath, [join(root, 'plugins/mynah/bin/mynah.js'), 'start'], {
    cwd: folder,
    origin: `http://127.0.0.1:${port}`,
    token: TOKEN,
  }).healthy()
}
