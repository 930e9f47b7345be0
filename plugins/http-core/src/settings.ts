import { FatalError, messageOf, type Mistake } from '@mynah/kernel'
import { isLoopback, TrustedProxies } from './address.js'
import type { HttpConfig } from './config.js'
import { readOrCreateToken } from './token-file.js'
import { unsendableReason, weaknessReason } from './token-strength.js'
import type { TokenSpec } from './tokens.js'

/** The settings of a running server, resolved from the configuration and the environment. */
export interface Settings {
  readonly corsOrigins: ReadonlySet<string>
  /** Host names that a request may carry; `undefined` if any may. */
  readonly hosts: ReadonlySet<string> | undefined
  readonly proxies: TrustedProxies
  readonly bodyLimit: number
  /** Requests a minute that a token of full scope may make. */
  readonly rateLimit: number
  readonly tokens: readonly TokenSpec[]
  /** File of the generated token, if there is one. */
  readonly tokenFile?: { readonly path: string; readonly created: boolean }
}

const INVALID = 2
const OWNER = 'owner'
/** Returns whether a token is empty or refers to a variable that is not set. */
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
      'There is no token: http.token and HTTP_TOKEN are unset, ' +
        'and this host has no data directory for a generated token',
      { exitCode: INVALID, hint: 'Set http.token or HTTP_TOKEN' },
    )
  }
  try {
    const { token, path, created } = readOrCreateToken(data)
    return { token, file: { path, created } }
  } catch (error) {
    throw new FatalError(
      'http.token and HTTP_TOKEN are unset, and a generated token cannot be stored in the data directory ' +
        `(${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`,
      { exitCode: INVALID, hint: 'Make the data directory writable, or set http.token or HTTP_TOKEN', cause: error },
    )
  }
}

/** Returns the problems of a configuration that its schema does not find, before the server is restarted with it. */
export function validateHttpConfig(config: HttpConfig, environment: NodeJS.ProcessEnv): Mistake[] {
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
    const why = token ? unsendableReason(token) : undefined
    if (why) mistakes.push({ path, message: `the token of ${from} ${why}, so it cannot be used to log in` })
  }
  if (isLoopback(config.host)) return mistakes
  for (const { token, from } of all) {
    const weakness = token ? weaknessReason(token) : undefined
    if (weakness)
      mistakes.push({
        path: 'http.host',
        message:
          `${config.host} is open to the network, and the token of ${from} ${weakness}: ` +
          'use a random one of 24 characters or more, or listen on 127.0.0.1',
      })
  }
  return mistakes
}

/**
 * Resolves the settings for a valid configuration.
 *
 * @throws FatalError if there is no token and none can be generated, or if the generated token is too weak
 */
export function resolveSettings(
  config: HttpConfig,
  {
    environment,
    data,
    console = [],
  }: { environment: NodeJS.ProcessEnv; data: string | undefined; console?: readonly string[] },
): Settings {
  const owner = adminToken(config, environment, data)
  const loopback = isLoopback(config.host)
  const why = owner.file ? unsendableReason(owner.token) : undefined
  if (why)
    throw new FatalError(`The token of the data directory ${why}, so it cannot be used to log in`, {
      exitCode: INVALID,
      hint: 'Remove the file, so that a new one is generated',
    })
  // The other tokens were checked with the configuration. Anybody may have written the file of this one.
  const weakness = owner.file && !loopback ? weaknessReason(owner.token) : undefined
  if (weakness)
    throw new FatalError(
      `http.host ${config.host} is open to the network, and the token of the data directory ${weakness}`,
      { exitCode: INVALID, hint: 'Remove the file, so that a new one is generated, or listen on 127.0.0.1' },
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
