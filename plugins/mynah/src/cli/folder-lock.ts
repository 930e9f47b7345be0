// One host at a time uses a data directory, whatever its database is. The lock is a socket that listens in the
// directory: it answers as long as its process lives, also to hosts in other containers, and never afterwards.
import { randomBytes } from 'node:crypto'
import { link, lstat, mkdir, rename, rm } from 'node:fs/promises'
import { createConnection, createServer, type Server } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { FatalError } from '@mynah/kernel'
import { EXIT } from './exit-codes.js'
import { socketPath } from './socket-path.js'

/** Time for a host that is just stopping, ms. */
const PATIENCE_MS = 2_000
const RETRY_MS = 100
/** Time for the holder to say who it is, ms. A hung process says nothing and still holds the lock. */
const ANSWER_MS = 500
/** Time in which others may still take away a socket that they believe to be dead, ms. */
const SETTLE_MS = 50
const MAX_NAME = 100
const UNKNOWN = 'it does not say which'

/** Thrown when another host uses the data directory. */
export class FolderInUse extends FatalError {
  constructor(holder: string) {
    super(`The data directory is in use by another host (${holder})`, {
      exitCode: EXIT.port,
      hint: 'Stop the other host, or start this one in another folder',
    })
  }
}

const isCode = (error: unknown, ...codes: string[]): boolean =>
  codes.includes(String((error as NodeJS.ErrnoException).code))

/**
 * Locks a data directory until the returned function is called or the process ends in any way. Waits 2 s for a host
 * that is just stopping.
 *
 * @param data is created if it does not exist
 * @throws FolderInUse if another host has it; another error where the directory can have no socket
 */
export async function lockFolder(data: string): Promise<() => Promise<void>> {
  await mkdir(data, { recursive: true })
  const path = socketPath(data, 'host.lock')
  const own = besides(path)
  const server = await listen(own).catch(async (error: unknown) => {
    // Of a pipe of Windows only.
    throw isCode(error, 'EADDRINUSE') ? new FolderInUse((await holderOf(own)) ?? UNKNOWN) : error
  })
  const until = performance.now() + PATIENCE_MS
  try {
    for (;;) {
      if (await publish(own, path)) break
      const holder = await holderOf(path)
      if (holder === undefined) await removeDead(path)
      else if (performance.now() > until) throw new FolderInUse(holder)
      else await wait(RETRY_MS)
    }
  } catch (error) {
    await close(server)
    throw error
  }
  return async () => {
    if (!isWindows) await rm(path, { force: true })
    await close(server)
  }
}

const isWindows = process.platform === 'win32'
/** Returns a new name in the same folder. Pipes of Windows need none: only one process can have a name. */
const besides = (path: string): string =>
  isWindows ? path : join(dirname(path), `${randomBytes(3).toString('hex')}.lock`)

function listen(path: string): Promise<Server> {
  const since = new Date().toISOString()
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => {
      socket.on('error', () => socket.destroy())
      socket.end(`process ${process.pid}, since ${since}\n`)
    })
    server.once('error', reject)
    // The lock must not keep the process alive.
    server.listen(path, () => resolve(server.unref()))
  })
}

const close = (server: Server): Promise<void> => new Promise((resolve) => void server.close(() => resolve()))

/**
 * Gives a listening socket the name of the lock. Returns false where the name is taken, or was taken away again by a
 * host that had seen a dead socket there.
 */
async function publish(own: string, path: string): Promise<boolean> {
  if (isWindows) return true
  const { ino } = await lstat(own)
  try {
    await link(own, path)
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false
    throw error
  }
  await wait(SETTLE_MS)
  if ((await lstat(path).catch(() => undefined))?.ino !== ino) return false
  await rm(own, { force: true })
  return true
}

/** Returns the process that listens at a path, or `undefined` where none does. */
function holderOf(path: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(path)
    let text = ''
    const answered = (): void => {
      socket.destroy()
      resolve(/^process \d+, since [\dTZ:.-]+/.exec(text)?.[0] ?? UNKNOWN)
    }
    socket.setEncoding('utf8').setTimeout(ANSWER_MS, answered)
    socket.on('data', (part: string) => {
      text += part
      if (text.length > MAX_NAME) answered()
    })
    socket.once('end', answered)
    socket.once('error', (error) =>
      isCode(error, 'ENOENT', 'ECONNREFUSED', 'ENOTSOCK') ? resolve(undefined) : reject(error),
    )
  })
}

/** Removes a socket without a listener. */
async function removeDead(path: string): Promise<void> {
  const aside = besides(path)
  try {
    // Moved first: another host may have replaced the dead socket meanwhile, and is given its own back.
    await rename(path, aside)
    if ((await holderOf(aside)) !== undefined) await link(aside, path)
  } catch (error) {
    if (!isCode(error, 'ENOENT', 'EEXIST')) throw error
  } finally {
    await rm(aside, { force: true })
  }
}
