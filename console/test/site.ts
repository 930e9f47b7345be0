// The built console, served for browser tests; built once in a run, so that a test never sees an old one.
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

/** The folder of the console. */
export const consoleRoot = fileURLToPath(new URL('../../../', import.meta.url))

let building: Promise<unknown> | undefined

/** Builds console/dist. */
export function buildConsole(): Promise<unknown> {
  building ??= build({ root: consoleRoot, configFile: `${consoleRoot}vite.config.ts`, logLevel: 'error' })
  return building
}

export interface Site { readonly url: string; close(): Promise<void> }

/** Serves the built console on a free port. */
export async function serve(): Promise<Site> {
  await buildConsole()
  const { serveConsole } = await import('@mynah/console/serve')
  return serveConsole({ port: 0 })
}
