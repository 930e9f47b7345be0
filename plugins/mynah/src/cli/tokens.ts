import { readFile, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { readValues, valueAt } from '@mynah/kernel/loader'
import { ask } from './control.js'

/** Source of the token, and the token itself if there is one. */
export interface TokenSource {
  /** Clause such as `in data/http-token`. */
  readonly where: string
  readonly value?: string
  /** Absolute path of the generated file, if the token is stored there. */
  readonly file?: string
}

/** Finds the token in the same order as the HTTP server: `http.token`, `HTTP_TOKEN`, the generated file. */
export async function findToken(
  file: string,
  root: string,
  env: NodeJS.ProcessEnv = { ...process.env },
): Promise<TokenSource> {
  const { values } = await readValues(file, { env })
  return tokenIn(values, file, root, env)
}

/**
 * Returns the token of the host of a configuration file. A running host is asked: its environment may differ from that
 * of this command, and with it the token.
 */
export async function tokenOf(file: string, root: string, env?: NodeJS.ProcessEnv): Promise<string | undefined> {
  const answer = await ask(join(root, 'data'), { do: 'token' }).catch(() => undefined)
  const token = answer && 'token' in answer ? answer.token : undefined
  return token ?? (await findToken(file, root, env)).value
}

/** Does the same as {@link findToken} for a configuration that was already read. */
export async function tokenIn(
  values: Readonly<Record<string, unknown>>,
  file: string,
  root: string,
  env: NodeJS.ProcessEnv,
): Promise<TokenSource> {
  const configured = valueAt(values, 'http.token')
  if (typeof configured === 'string' && configured)
    return { where: `as http.token in ${displayPath(file)}`, value: configured }
  if (env['HTTP_TOKEN']) return { where: 'in the environment variable HTTP_TOKEN', value: env['HTTP_TOKEN'] }
  const generated = join(root, 'data', 'http-token')
  if (!(await stat(generated).catch((error: NodeJS.ErrnoException) => absent(error))))
    return { where: `in ${displayPath(generated)}, which the first start generates`, file: generated }
  return { where: `in ${displayPath(generated)}`, value: (await readFile(generated, 'utf8')).trim(), file: generated }
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
  throw error
}

/** Returns a path as the user would type it. */
export function displayPath(path: string): string {
  const near = relative(process.cwd(), path)
  return near.startsWith('..') ? path : near
}
