// Puts each fixed defect back and looks how long the simulator takes to find it. Each runs in a process of its own,
// whose loader changes the built modules as it reads them; the product has no switch for this.
import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Processor time in which a defect has to be found, ms. */
const LIMIT_MS = 60_000

const at = (path) => fileURLToPath(new URL(path, import.meta.url))

function search(name, keeps) {
  return new Promise((resolve) => {
    const child = spawn(
      process.execPath,
      ['--no-warnings', '--import', at('./register.mjs'), at('./search.mjs'), name],
      {
        stdio: ['ignore', 'inherit', 'inherit'],
        env: { ...process.env, SIM_DEFECT: name, SIM_LIMIT: String(LIMIT_MS), ...(keeps ? { SIM_KEEP: '1' } : {}) },
      },
    )
    child.on('exit', (code) => resolve(code === 0))
  })
}

/**
 * Resolves to whether all defects were found.
 *
 * @param only the defect that is put back, by default each
 * @param keeps whether the shortest history of each is kept in `found`
 */
export async function prove(only, keeps = false) {
  const names = readdirSync(at('./defects'))
    .map((file) => file.replace('.mjs', ''))
    .filter((name) => only === undefined || only === '' || name === only)
  let isProven = true
  for (const name of names.sort()) isProven = (await search(name, keeps)) && isProven
  return isProven
}
