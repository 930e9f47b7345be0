// What the server looks at while it runs: the configuration checked, its tokens found, ready for comparing.
import { FatalError, messageOf, type Mistake } from '@mynah/kernel'
import { isLoopback, TrustedProxies } from './address.js'
import type { HttpConfig } from './config.js'
import { generatedToken } from './token-file.js'
import { unsendable, weaknessOf } from './token-strength.js'
import type { TokenSpec } from './tokens.js'

export interface Settings {
  readonly corsOrigins: ReadonlySet<string>
  /** Host names a request may carry, or none where any may. */
  readonly hosts: ReadonlySet<string> | undefined
  readonly proxies: TrustedProxies
  readonly bodyLimit: number
  /** Requests a minute of a token of full scope. */
  readonly rateLimit: number
  readonly tokens: readonly TokenSpec[]
  /** Where the generated token stands, where there is one. */
  readonly tokenFile?: { readonly path: string; readonly made: boolean }
}

const INVALID = 2
const OWNER = 'owner'
/** A variable that nobody set: such a token counts as none. */
const isUnset = (token: string | undefined): boolean => !token || /^\$\{\w+\}$/.test(token)

function adminToken(
  config: HttpConfig,
  environment: NodeJS.ProcessEnv,
  data: string | undefined,
): { token: string; file?: Settings['tokenFile'] } {
  if (!isUnset(config.token)) return { token: config.token as string }
  if (environment.HTTP_TOKEN) return { token: environment.HTTP_TOKEN }
  if (data === undefined) {
    throw new FatalError(
      'There is no token: http.token and HTTP_TOKEN are unset, and this host has no data directory to keep a generated one in',
      { exitCode: INVALID, hint: 'Set http.token or HTTP_TOKEN' },
    )
  }
  try {
    const { token, path, made } = generatedToken(data)
    return { token, file: { path, made } }
  } catch (error) {
    throw new FatalError(
      `http.token and HTTP_TOKEN are unset, and a generated token cannot be kept in the data directory (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`,
      { exitCode: INVALID, hint: 'Make the data directory writable, or set http.token or HTTP_TOKEN', cause: error },
    )
  }
}

/** What is wrong with a configuration beside its shape: known before a server is put at risk for it. */
export function mistakesInHttp(config: HttpConfig, environment: NodeJS.ProcessEnv): Mistake[] {
  const mistakes: Mistake[] = []
  try {
    new TrustedProxies(config.trustedProxies)
  } catch (error) {
    mistakes.push({ path: 'http.trustedProxies', message: `must be addresses or ranges: ${messageOf(error)}` })
  }
  const owner = !isUnset(config.token)
    ? { token: config.token as string, path: 'http.token', from: 'http.token' }
    : { token: environment.HTTP_TOKEN, path: 'http.token', from: 'HTTP_TOKEN' }
  const all = [
    owner,
    ...config.tokens.map(({ token, name }, index) => ({
      token,
      path: `http.tokens[${index}].token`,
      from: `http.tokens "${name}"`,
    })),
  ]
  for (const { token, path, from } of all) {
    const why = token ? unsendable(token) : undefined
    if (why) mistakes.push({ path, message: `the token of ${from} ${why}: nobody could log in with it` })
  }
  if (isLoopback(config.host)) return mistakes
  for (const { token, from } of all) {
    const weakness = token ? weaknessOf(token) : undefined
    if (weakness)
      mistakes.push({
        path: 'http.host',
        message: `${config.host} is open to the network, and the token of ${from} ${weakness}: use a random one of 24 characters or more, or listen on 127.0.0.1`,
      })
  }
  return mistakes
}

/**
 * Settings for a configuration that has no mistakes.
 *
 * @throws FatalError where there is no token and none can be made, or the one in the data directory is too weak.
 */
export function settingsFor(
  config: HttpConfig,
  {
    environment,
    data,
    console = [],
  }: { environment: NodeJS.ProcessEnv; data: string | undefined; console?: readonly string[] },
): Settings {
  const owner = adminToken(config, environment, data)
  const loopback = isLoopback(config.host)
  const why = owner.file ? unsendable(owner.token) : undefined
  if (why)
    throw new FatalError(`The token of the data directory ${why}: nobody could log in with it`, {
      exitCode: INVALID,
      hint: 'Remove the file, so that a new one is made',
    })
  // The others were checked with the configuration; this one stands in a file that anybody may have written.
  const weakness = owner.file && !loopback ? weaknessOf(owner.token) : undefined
  if (weakness)
    throw new FatalError(
      `http.host ${config.host} is open to the network, and the token of the data directory ${weakness}`,
      { exitCode: INVALID, hint: 'Remove the file, so that a new one is made, or listen on 127.0.0.1' },
    )
  return {
    corsOrigins: new Set([...config.corsOrigins, ...console].map((origin) => origin.toLowerCase())),
    hosts: loopback ? new Set(config.hosts.map((host) => host.toLowerCase())) : undefined,
    proxies: new TrustedProxies(config.trustedProxies),
    bodyLimit: config.bodyLimit,
    rateLimit: config.rateLimit,
    tokens: [{ token: owner.token, scope: 'full', name: OWNER }, ...config.tokens],
    ...(owner.file ? { tokenFile: owner.file } : {}),
  }
}
