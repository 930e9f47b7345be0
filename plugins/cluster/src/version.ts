import { readFileSync } from 'node:fs'

/** Returns the version of this package, which is that of Mynah. */
export const version = (): string =>
  (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }).version
