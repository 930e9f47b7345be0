// The web console beside a host: built files, or the development server where its sources are.
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const PORT = 5173
const HOST = '127.0.0.1'

/** A running console. */
export interface ConsoleSite { readonly origin: string; close(): Promise<void> }

/** Why there is no console; the host runs without. */
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

/**
 * Serves the console on its own origin.
 *
 * @throws NoConsole where it is not installed, not built, or its port is taken.
 */
export async function openConsole(root: string, mode: 'built' | 'development'): Promise<ConsoleSite> {
  const manifest = find('@mynah/console/package.json', [root, import.meta.dirname])
  if (!manifest) throw new NoConsole('the console is not installed; add it with: npm install @mynah/console')
  const folder = dirname(manifest)
  try {
    const vite = mode === 'development' && existsSync(join(folder, 'vite.config.ts')) ? find('vite', [folder]) : undefined
    return vite ? await develop(vite, folder) : await serve(folder)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE' || /already in use/.test(message)) throw new NoConsole(`port ${PORT} of the console is taken`)
    throw error
  }
}

async function serve(folder: string): Promise<ConsoleSite> {
  if (!existsSync(join(folder, 'dist', 'index.html'))) throw new NoConsole('the console is not built; build it with: npm run build')
  const { serveConsole } = await import(pathToFileURL(join(folder, 'server', 'serve.mjs')).href) as {
    serveConsole(options: { port: number; host: string }): Promise<{ close(): Promise<void> }>
  }
  const server = await serveConsole({ port: PORT, host: HOST })
  return { origin: `http://localhost:${PORT}`, close: () => server.close() }
}

async function develop(vite: string, folder: string): Promise<ConsoleSite> {
  const { createServer } = await import(pathToFileURL(vite).href) as {
    createServer(config: object): Promise<{ listen(): Promise<unknown>; close(): Promise<void> }>
  }
  const server = await createServer({ root: folder, configFile: join(folder, 'vite.config.ts'), clearScreen: false, logLevel: 'warn', server: { port: PORT, host: HOST, strictPort: true } })
  try {
    await server.listen()
  } catch (error) {
    // It watches already, which would keep this process alive.
    await server.close()
    throw error
  }
  return { origin: `http://localhost:${PORT}`, close: () => server.close() }
}
