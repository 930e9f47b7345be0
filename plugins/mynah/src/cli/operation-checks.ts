// The checks of `mynah doctor` that concern a host in use: who runs, who may read what, space, backups, addresses.
import { existsSync } from 'node:fs'
import { readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { valueAt } from '@mynah/kernel/loader'
import type { Finding } from './checks.js'
import { consoleFolder } from './console-site.js'
import { ask } from './control.js'
import { CATALOGUE } from './backup/catalogue.js'
import { shown } from './tokens.js'

const LEAST_FREE = 0.05
const SMALL_FREE = 0.1
const OLD_BACKUP_DAYS = 7
const DAY_MS = 86_400_000

/** Whether a host of this data folder runs, and as which process. */
export async function runningHost(data: string): Promise<Finding & { readonly pid?: number }> {
  const answer = await ask(data, { do: 'ping' }).catch((error: NodeJS.ErrnoException) => ({
    error: error.code ?? error.message,
  }))
  if (!answer) return { state: 'ok', subject: 'host', text: 'is not running' }
  if ('error' in answer)
    return {
      state: 'mend',
      subject: 'host',
      text: `cannot be asked (${answer.error})`,
      remedy: 'Run this as the user that runs the host',
    }
  return { state: 'ok', subject: 'host', text: `is running as process ${answer.pid}`, pid: answer.pid }
}

/** Whether other users of the machine may read what holds secrets. */
export async function checkSecrets(root: string): Promise<Finding> {
  const open: string[] = []
  if (process.platform !== 'win32') {
    for (const name of (await readdir(root)).filter((file) => /^\.env(\.[\w-]+)?$/.test(file))) {
      if ((await stat(join(root, name))).mode & 0o077) open.push(name)
    }
  }
  const files = open.map((name) => shown(join(root, name))).join(' ')
  return open.length
    ? {
        state: 'note',
        subject: 'secrets',
        text: `other users of this machine may read ${files}`,
        remedy: `chmod 600 ${files}`,
      }
    : { state: 'ok', subject: 'secrets', text: 'environment files are readable by their owner only' }
}

/** Where the host can be reached from, and what then must stand before it. */
export function checkAddress(values: Readonly<Record<string, unknown>>): Finding {
  const address = String(valueAt(values, 'http.host') ?? '127.0.0.1')
  const isLoopback = address === 'localhost' || address === '::1' || address.startsWith('127.')
  const names = valueAt(values, 'http.hosts')
  if (!isLoopback)
    return {
      state: 'note',
      subject: 'address',
      text: `${address} is open to the network without TLS`,
      remedy: 'Let a proxy with TLS stand before it: docs/deploying.md',
    }
  if (Array.isArray(names) && names.length && !Array.isArray(valueAt(values, 'http.trustedProxies'))) {
    return {
      state: 'mend',
      subject: 'address',
      text: 'http.hosts names public hosts, but http.trustedProxies is unset: every caller has the address of the proxy, and one guesser locks all out',
      remedy: 'Set http.trustedProxies: ["127.0.0.1"]',
    }
  }
  return {
    state: 'ok',
    subject: 'address',
    text: `${address} is reached from this machine only${Array.isArray(names) && names.length ? ', and by its proxy' : ''}`,
  }
}

/** Space where the host keeps its data. */
export async function checkDisk(root: string): Promise<Finding> {
  const subject = 'disk'
  const data = join(root, 'data')
  // It may be a disk of its own.
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
      remedy: 'Make room: the host stops taking messages when it cannot store them',
    }
  return free < SMALL_FREE ? { state: 'note', subject, text, remedy: 'Make room soon' } : { state: 'ok', subject, text }
}

/** Whether the console could be served from here. */
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

/** How old the newest backup beside the host is. */
export async function checkBackups(root: string): Promise<Finding> {
  const subject = 'backup'
  const remedy = 'mynah backup; docs/deploying.md shows how to do it each night'
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
  if (newest === 0) return { state: 'note', subject, text: 'there is none in data/backups', remedy }
  const days = Math.floor((Date.now() - newest) / DAY_MS)
  return days >= OLD_BACKUP_DAYS
    ? { state: 'note', subject, text: `the newest is ${days} days old`, remedy }
    : { state: 'ok', subject, text: `the newest is ${days === 0 ? 'of the last 24 hours' : `${days} days old`}` }
}
