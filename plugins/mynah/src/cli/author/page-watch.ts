// The process that builds a page of the console after each change, with the Vite of its project.
import type { PageProject } from './author-project.js'

/** Sent to the parent process. */
export type PageMessage =
  | { readonly type: 'building' }
  | { readonly type: 'built' }
  | { readonly type: 'failed'; readonly message: string }
  /** The configuration is invalid, so that no change of the page is noticed. */
  | { readonly type: 'refused'; readonly message: string }

interface WatchEvent {
  readonly code: string
  readonly error?: { readonly message?: unknown }
  readonly result?: { close?(): Promise<void> }
}
interface Vite {
  build(config: object): Promise<{ on(event: 'event', listener: (event: WatchEvent) => void): void }>
}

const send = (message: PageMessage): void => {
  if (process.connected) process.send?.(message)
}

process.on('disconnect', () => process.exit(0))
const { folder, configFile, vite } = JSON.parse(process.argv[2] ?? '{}') as PageProject
try {
  const { build } = (await import(vite)) as Vite
  const watcher = await build({
    root: folder,
    configFile,
    logLevel: 'silent',
    clearScreen: false,
    // An editor empties a file before it writes it: what is built in between would be an empty page.
    build: { watch: { buildDelay: 100 } },
  })
  watcher.on('event', ({ code, error, result }) => {
    if (code === 'BUNDLE_START') send({ type: 'building' })
    else if (code === 'BUNDLE_END') send({ type: 'built' })
    else if (code === 'ERROR') send({ type: 'failed', message: String(error?.message ?? 'it cannot be built') })
    void result?.close?.()
  })
} catch (error) {
  send({ type: 'refused', message: error instanceof Error ? error.message : String(error) })
}
