// Where the token of a host is.
import { readFile, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { readValues, valueAt } from '@mynah/kernel/loader'

/** Where a token comes from, and the token itself where there is one. */
export interface TokenSource {
  /** As a clause: `in data/http-token`. */
  readonly where: string
  readonly value?: string
  /** Absolute path, where it is kept in a file of the host. */
  readonly file?: string
}

/** Finds the token in the order that the HTTP server uses: `http.token`, `HTTP_TOKEN`, the generated file. */
export async function findToken(
  file: string,
  root: string,
  env: NodeJS.ProcessEnv = { ...process.env },
): Promise<TokenSource> {
  const { values } = await readValues(file, { env })
  return tokenIn(values, file, root, env)
}

/** As {@link findToken}, for a configuration that was read. */
export async function tokenIn(
  values: Readonly<Record<string, unknown>>,
  file: string,
  root: string,
  env: NodeJS.ProcessEnv,
): Promise<TokenSource> {
  const configured = valueAt(values, 'http.token')
  if (typeof configured === 'string' && configured)
    return { where: `as http.token in ${shown(file)}`, value: configured }
  if (env['HTTP_TOKEN']) return { where: 'in the environment variable HTTP_TOKEN', value: env['HTTP_TOKEN'] }
  const generated = join(root, 'data', 'http-token')
  if (!(await stat(generated).catch((error: NodeJS.ErrnoException) => absent(error))))
    return { where: `in ${shown(generated)}, which the first start makes`, file: generated }
  return { where: `in ${shown(generated)}`, value: (await readFile(generated, 'utf8')).trim(), file: generated }
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
  throw error
}

/** A path as the user would type it. */
export function shown(path: string): string {
  const near = relative(process.cwd(), path)
  return near.startsWith('..') ? path : near
}
