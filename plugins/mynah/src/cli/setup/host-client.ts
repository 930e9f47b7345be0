// The RPC of a running host, for commands.
import { join } from 'node:path'
import { tokenOf } from '../tokens.js'
import { apiOf } from '../reachability.js'
import { EXIT } from '../exit-codes.js'
import { UserError } from '../user-error.js'

/** Longer than any test of an account or of a model, ms. */
const TIMEOUT_MS = 90_000

/** An answer that the host refuses, with the words of the host. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
  readonly code: string

  constructor(message: string, code: string) {
    super(message)
    this.code = code
  }
}

interface Envelope {
  readonly success?: boolean
  readonly data?: unknown
  readonly error?: string
  readonly code?: string
}

/** Calls RPC methods with the token of the host. */
export class HostClient {
  readonly #base: string
  readonly #token: string

  private constructor(base: string, token: string) {
    this.#base = base
    this.#token = token
  }

  /** Returns a client for the host of a configuration file. */
  static async of(
    file: string,
    root: string,
    values: Readonly<Record<string, unknown>>,
    env: NodeJS.ProcessEnv,
  ): Promise<HostClient> {
    const value = await tokenOf(file, root, env)
    if (value === undefined)
      throw new UserError('there is no token yet', {
        exitCode: EXIT.failure,
        remedy: 'Start the host once: mynah start',
      })
    return new HostClient(await apiOf(join(root, 'data'), values), value)
  }

  /**
   * Calls a method. Parameters of `endpoint:*` and `sandbox:*` go into `data`.
   *
   * @throws RefusedError with the words of the host
   */
  async call<R>(type: string, params: Readonly<Record<string, unknown>> = {}): Promise<R> {
    const nested = type.startsWith('endpoint:') || type.startsWith('sandbox:')
    const response = await fetch(`${this.#base}/console/request`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${this.#token}` },
      body: JSON.stringify(nested ? { data: params, type } : { ...params, type }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const body = (await response.json().catch(() => ({}))) as Envelope
    if (response.ok && body.success === true) return body.data as R
    throw new RefusedError(body.error ?? `the host answers with ${response.status}`, body.code ?? 'internal')
  }

  /** Returns whether an enabled plugin provides a method that only reads. */
  async has(type: string): Promise<boolean> {
    try {
      await this.call(type)
    } catch (error) {
      if (error instanceof RefusedError) return error.code !== 'unknown_method'
      throw error
    }
    return true
  }
}
