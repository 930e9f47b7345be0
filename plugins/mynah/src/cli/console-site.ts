import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const LOOPBACK = '127.0.0.1'

/** A running console. */
export interface ConsoleSite {
  readonly origin: string
  close(): Promise<void>
}

/** Address on which a console is served. */
export interface ConsoleAddress {
  /** 0 selects a free port. */
  readonly port: number
  /** Default 127.0.0.1. */
  readonly host?: string
  /** Option for another port, such as `--console=`. */
  readonly option: string
}

/** Thrown when the console cannot be served. */
export class NoConsole extends Error {
  override readonly name = 'NoConsole'
}

function find(specifier: string, from: readonly string[]): string | undefined {
  for (const folder of from) {
    try {
      return createRequire(join(folder, 'index.js')).resolve(specifier)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error
    }
  }
  return undefined
}

/** Returns the folder of the console's package, resolved from the folder of the host or from this package. */
export function consoleFolder(root: string): string | undefined {
  const manifest = find('@mynah/console/package.json', [root, import.meta.dirname])
  return manifest && dirname(manifest)
}

/**
 * Serves the console on its own origin: built files, or the development server if its sources are present.
 *
 * @throws NoConsole if it is not installed or not built, or if its port is in use
 */
export async function openConsole(
  root: string,
  mode: 'built' | 'development',
  place: ConsoleAddress,
): Promise<ConsoleSite> {
  const folder = consoleFolder(root)
  if (!folder) throw new NoConsole('the console is not installed; add it with: npm install @mynah/console')
  try {
    const vite =
      mode === 'development' && existsSync(join(folder, 'vite.config.ts')) ? find('vite', [folder]) : undefined
    return vite ? await develop(vite, folder, place) : await serve(folder, place)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE' || /already in use/.test(message))
      throw new NoConsole(
        `port ${place.port} of the console is taken; choose another: ${place.option}${place.port + 1}`,
      )
    if (code === 'EACCES')
      throw new NoConsole(
        `port ${place.port} of the console may not be used by this user; choose one above 1023: ${place.option}5173`,
      )
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new NoConsole(`this machine has no address ${place.host ?? LOOPBACK} to serve the console on`)
    throw error
  }
}

async function serve(folder: string, { port, host = LOOPBACK }: ConsoleAddress): Promise<ConsoleSite> {
  if (!existsSync(join(folder, 'dist', 'index.html')))
    throw new NoConsole('the console is not built; build it with: npm run build')
  const { serveConsole } = (await import(pathToFileURL(join(folder, 'server', 'serve.mjs')).href)) as {
    serveConsole(options: { port: number; host: string }): Promise<{ url: string; close(): Promise<void> }>
  }
  const server = await serveConsole({ port, host })
  return { origin: server.url, close: () => server.close() }
}

async function develop(vite: string, folder: string, { port, host = LOOPBACK }: ConsoleAddress): Promise<ConsoleSite> {
  const { createServer } = (await import(pathToFileURL(vite).href)) as {
    createServer(
      config: object,
    ): Promise<{ listen(): Promise<unknown>; close(): Promise<void>; httpServer: { address(): { port: number } } }>
  }
  const server = await createServer({
    root: folder,
    configFile: join(folder, 'vite.config.ts'),
    clearScreen: false,
    logLevel: 'warn',
    server: { port, host, strictPort: true },
  })
  try {
    await server.listen()
  } catch (error) {
    // The watcher of the server would keep this process alive.
    await server.close()
    throw error
  }
  return { origin: `http://${host}:${server.httpServer.address().port}`, close: () => server.close() }
}
