import { execFile } from 'node:child_process'
import { access, constants, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { checkFile, ConfigurationError, describeProblem, problemError, readValues, valueAt } from '@mynah/kernel/loader'
import { DEFAULT_CONSOLE_PORT, DEFAULT_HTTP_PORT } from '@mynah/contract/wire'
import { HOST_KEYS } from './host-keys.js'
import { pluginImporter } from './modules/import-plugin.js'
import { findToken, displayPath } from './tokens.js'

/** Result of a check of `mynah doctor`: in order, worth knowing, or to be fixed (`mend`). */
export interface Finding {
  readonly state: 'ok' | 'note' | 'mend'
  readonly subject: string
  readonly text: string
  readonly remedy?: string
}

type Values = Readonly<Record<string, unknown>>

/** Checks for Node 20.19, 22 or later. */
export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const fits = major > 20 || (major === 20 && minor >= 19)
  return fits
    ? { state: 'ok', subject: 'Node', text: version }
    : {
        state: 'mend',
        subject: 'Node',
        text: `${version} is too old`,
        remedy: 'Install Node 20.19 or later: https://nodejs.org',
      }
}

/** Checks the configuration as a start would. Adds the variables of environment files to `env`. */
export async function checkConfiguration(
  file: string,
  named: string,
  env: Record<string, string | undefined>,
): Promise<{ found: Finding[]; values?: Values }> {
  try {
    const problems = await checkFile(file, {
      env: { ...process.env },
      keys: HOST_KEYS,
      importModule: pluginImporter(dirname(file)),
    })
    const { values } = await readValues(file, { env })
    const found = problems.map((item): Finding => {
      const [text, remedy] = describeProblem(item).split('\n') as [string, string]
      return {
        state: item.severity === 'warning' ? 'note' : 'mend',
        subject: 'configuration',
        text,
        remedy: remedy.trim(),
      }
    })
    return {
      values,
      found: found.length ? found : [{ state: 'ok', subject: 'configuration', text: `${named} is in order` }],
    }
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    return {
      found: [
        {
          state: 'mend',
          subject: 'configuration',
          text: error.problems[0] ? problemError(error.problems[0]).message : `${named}: unreadable`,
          remedy: 'Create it, or name another file with -c',
        },
      ],
    }
  }
}

/** Checks SQLite, the only native dependency, if the database plugin is enabled. */
export async function checkNative(root: string, values: Values): Promise<Finding> {
  const subject = 'native binding'
  const plugins = valueAt(values, 'plugins')
  const used =
    Array.isArray(plugins) &&
    plugins.some(
      (item) =>
        item === 'database' ||
        ((item as { name?: unknown } | null)?.name === 'database' && (item as { enabled?: unknown }).enabled !== false),
    )
  if (!used) return { state: 'ok', subject, text: 'not required' }
  // Runs in a child process, because a broken binding may crash the process.
  const probe = `const { createRequire } = require('node:module')
const { realpathSync } = require('node:fs')
const at = (folder) => createRequire(folder + '/index.js')
for (const from of process.argv.slice(1)) {
  try { at(from).resolve('@mynah/plugin-database/package.json') } catch { continue }
  const folder = require('node:path').dirname(realpathSync(at(from).resolve('@mynah/plugin-database/package.json')))
  at(folder)('sqlite3')
  process.exit(0)
}
at(process.argv[1])('sqlite3')`
  try {
    await promisify(execFile)(process.execPath, ['-e', probe, root, import.meta.dirname], { timeout: 20_000 })
    return { state: 'ok', subject, text: 'sqlite3 loads' }
  } catch {
    return {
      state: 'mend',
      subject,
      text: 'sqlite3 does not load',
      remedy:
        'Add "allowScripts": { "sqlite3": true } to your package.json, then run: npm rebuild sqlite3 ' +
        '(requires python3, make and a C++ compiler if no prebuilt binary can be downloaded)',
    }
  }
}

function portFinding(address: string, error: string | undefined, runsAt: string | undefined): Finding {
  const subject = 'port'
  const port = address.split(':').at(-1)
  // Port 0 lets the system choose one.
  if (runsAt !== undefined && port !== '0' && !runsAt.endsWith(`:${port}`))
    return {
      state: 'note',
      subject,
      text: `the running host listens at ${runsAt}, here the configuration has ${address}`,
      remedy: 'It was started with another environment or configuration; commands use its address',
    }
  if (error === undefined) return { state: 'ok', subject, text: `${address} is free` }
  if (error === 'EADDRINUSE' && runsAt !== undefined)
    return { state: 'ok', subject, text: `${address} is in use by the running host` }
  return {
    state: 'mend',
    subject,
    text: `${address} cannot be used (${error})`,
    remedy: 'Stop the process that uses it (another host?), or set http.port',
  }
}

/**
 * Checks whether the ports are free.
 *
 * @param runsAt origin of the running host, if one runs
 */
export async function checkPorts(values: Values, runsAt?: string): Promise<Finding[]> {
  const port = Number(valueAt(values, 'http.port') ?? DEFAULT_HTTP_PORT)
  const host = String(valueAt(values, 'http.host') ?? '127.0.0.1')
  return [
    portFinding(`${host}:${port}`, await portError(port, host), runsAt),
    consolePortFinding(await portError(DEFAULT_CONSOLE_PORT, '127.0.0.1'), runsAt !== undefined),
  ]
}

/** Returns the finding about the port of the console, which a running host may serve itself. */
export function consolePortFinding(error: string | undefined, isRunning: boolean): Finding {
  const subject = 'console port'
  if (error === undefined) return { state: 'ok', subject, text: `${DEFAULT_CONSOLE_PORT} is free` }
  if (isRunning && error === 'EADDRINUSE')
    return { state: 'ok', subject, text: `${DEFAULT_CONSOLE_PORT} is in use, as by a host with --console` }
  return {
    state: 'note',
    subject,
    text: `${DEFAULT_CONSOLE_PORT} cannot be used (${error})`,
    remedy: `Only --console uses it; choose another port: --console=${DEFAULT_CONSOLE_PORT + 1}`,
  }
}

function portError(port: number, host: string): Promise<string | undefined> {
  if (!Number.isInteger(port) || port < 0 || port > 65_535) return Promise.resolve('not a port number')
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen({ port, host }, () => server.close(() => resolve(undefined)))
  })
}

/** Checks where the token is and whether others can read it. */
export async function checkToken(file: string, root: string): Promise<Finding> {
  const { where, value, file: kept } = await findToken(file, root)
  const open = kept && value !== undefined && process.platform !== 'win32' ? (await stat(kept)).mode & 0o077 : 0
  if (kept && open)
    return {
      state: 'mend',
      subject: 'token',
      text: `other users of this machine can read ${displayPath(kept)}`,
      remedy: `chmod 600 ${displayPath(kept)}`,
    }
  return { state: 'ok', subject: 'token', text: value === undefined ? `will be ${where}` : `is ${where}` }
}

/** Checks whether the host can write its data. */
export async function checkData(root: string): Promise<Finding> {
  const data = join(root, 'data')
  for (const folder of [data, root]) {
    try {
      await access(folder, constants.W_OK)
      const found = await stat(folder)
      if (!found.isDirectory())
        return {
          state: 'mend',
          subject: 'data',
          text: `${displayPath(folder)} is a file`,
          remedy: 'Move it away: the host creates a folder with this name',
        }
      const owner = await stat(root)
      if (owner.uid !== found.uid && process.getuid?.() === 0)
        return {
          state: 'note',
          subject: 'data',
          text: `${displayPath(folder)} belongs to another user than the folder around it`,
          remedy: `If the host runs as that user: chown -R --reference=. ${displayPath(folder)}`,
        }
      return { state: 'ok', subject: 'data', text: `${displayPath(folder) || '.'} is writable` }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') continue
      return {
        state: 'mend',
        subject: 'data',
        text: `${displayPath(folder) || '.'} is not writable (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`,
        remedy: 'Give write permission to the user that runs the host',
      }
    }
  }
  return { state: 'mend', subject: 'data', text: 'the folder of the configuration file does not exist' }
}
