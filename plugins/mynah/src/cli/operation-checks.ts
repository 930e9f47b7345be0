// Checks of `mynah doctor` for a host in operation.
import { existsSync } from 'node:fs'
import { readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { valueAt } from '@mynah/kernel/loader'
import type { Finding } from './checks.js'
import { consoleFolder } from './console-site.js'
import { ask } from './control.js'
import { CATALOGUE } from './backup/catalogue.js'
import { displayPath } from './tokens.js'

const LEAST_FREE = 0.05
const SMALL_FREE = 0.1
const OLD_BACKUP_DAYS = 7
const DAY_MS = 86_400_000

/** Checks whether a host with this data folder is running. */
export async function runningHost(data: string): Promise<Finding & { readonly pid?: number }> {
  const answer = await ask(data, { do: 'ping' }).catch((error: NodeJS.ErrnoException) => ({
    error: error.code ?? error.message,
  }))
  if (!answer) return { state: 'ok', subject: 'host', text: 'is not running' }
  if ('error' in answer)
    return {
      state: 'mend',
      subject: 'host',
      text: `does not answer (${answer.error})`,
      remedy: 'Run this as the user that runs the host',
    }
  return { state: 'ok', subject: 'host', text: `is running as process ${answer.pid}`, pid: answer.pid }
}

/** Checks whether other users of the machine can read files with secrets. */
export async function checkSecrets(root: string): Promise<Finding> {
  const open: string[] = []
  if (process.platform !== 'win32') {
    for (const name of (await readdir(root)).filter((file) => /^\.env(\.[\w-]+)?$/.test(file))) {
      if ((await stat(join(root, name))).mode & 0o077) open.push(name)
    }
  }
  const files = open.map((name) => displayPath(join(root, name))).join(' ')
  return open.length
    ? {
        state: 'note',
        subject: 'secrets',
        text: `other users of this machine can read ${files}`,
        remedy: `chmod 600 ${files}`,
      }
    : { state: 'ok', subject: 'secrets', text: 'environment files are readable by their owner only' }
}

/** Checks from where the host can be reached. */
export function checkAddress(values: Readonly<Record<string, unknown>>): Finding {
  const address = String(valueAt(values, 'http.host') ?? '127.0.0.1')
  const isLoopback = address === 'localhost' || address === '::1' || address.startsWith('127.')
  const names = valueAt(values, 'http.hosts')
  const hasNames = Array.isArray(names) && names.length > 0
  if (!isLoopback)
    return {
      state: 'note',
      subject: 'address',
      text: `${address} is open to the network without TLS`,
      remedy: 'Put a proxy with TLS in front of it: docs/deploying.md',
    }
  if (hasNames && !Array.isArray(valueAt(values, 'http.trustedProxies'))) {
    return {
      state: 'mend',
      subject: 'address',
      text:
        'http.hosts names public hosts, but http.trustedProxies is unset: all callers share the address ' +
        'of the proxy, so one caller with wrong tokens locks out all',
      remedy: 'Set http.trustedProxies: ["127.0.0.1"]',
    }
  }
  return {
    state: 'ok',
    subject: 'address',
    text: `${address} can only be reached from this machine${hasNames ? ' and its proxy' : ''}`,
  }
}

/** Checks the free space for the data of the host. */
export async function checkDisk(root: string): Promise<Finding> {
  const subject = 'disk'
  const data = join(root, 'data')
  // The data folder may be on a different disk.
  const found = await statfs(existsSync(data) ? data : root).catch((error: NodeJS.ErrnoException) => error)
  if (found instanceof Error)
    return { state: 'note', subject, text: `cannot be measured (${found.code ?? found.message})` }
  const free = found.blocks ? found.bavail / found.blocks : 1
  const text = `${Math.floor(free * 100)} % free (${((found.bavail * found.bsize) / 1e9).toFixed(1)} GB)`
  if (free < LEAST_FREE)
    return {
      state: 'mend',
      subject,
      text,
      remedy: 'Free up space: the host rejects messages when it cannot store them',
    }
  return free < SMALL_FREE
    ? { state: 'note', subject, text, remedy: 'Free up space soon' }
    : { state: 'ok', subject, text }
}

/** Checks whether the console can be served. */
export function checkConsole(root: string): Finding {
  const folder = consoleFolder(root)
  if (!folder)
    return {
      state: 'note',
      subject: 'console',
      text: 'is not installed here',
      remedy: 'Only --console and mynah console need it: npm install @mynah/console',
    }
  if (!existsSync(join(folder, 'dist', 'index.html')))
    return { state: 'note', subject: 'console', text: 'is not built', remedy: 'npm run build' }
  return { state: 'ok', subject: 'console', text: 'can be served' }
}

/** Checks the age of the newest backup. */
export async function checkBackups(root: string): Promise<Finding> {
  const subject = 'backup'
  const remedy = 'mynah backup; docs/deploying.md shows how to run it every night'
  const folder = join(root, 'data', 'backups')
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return []
    throw error
  })
  const times = await Promise.all(
    names.map((name) =>
      stat(join(folder, name, CATALOGUE)).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    ),
  )
  const newest = Math.max(0, ...times)
  if (newest === 0) return { state: 'note', subject, text: 'there is no backup in data/backups', remedy }
  const days = Math.floor((Date.now() - newest) / DAY_MS)
  return days >= OLD_BACKUP_DAYS
    ? { state: 'note', subject, text: `the newest is ${days} days old`, remedy }
    : { state: 'ok', subject, text: `the newest is ${days === 0 ? 'less than 24 hours old' : `${days} days old`}` }
}
