import { access } from 'node:fs/promises'
import { isAbsolute, normalize } from 'node:path'
import { WireError, type ExecAddition, type ExecOffer } from '@mynah/contract'
import type { ConfigurationWriter, HostPaths } from '@mynah/kernel'
import { marked } from '../approvals/marks.js'
import type { Audit } from '../audit.js'
import type { ExecConfig } from '../config.js'
import { namesSecret } from '../policy/path-rules.js'
import { networkOf } from '../proxy/run-hosts.js'
import { withRealPaths } from '../real-paths.js'
import { additionText, isHostText, keyOfAddition, placeOfAddition, withAddition } from './addition.js'

/** The parts of the plugin that additions use. */
interface Surroundings {
  readonly writer: { readonly current: ConfigurationWriter | undefined }
  readonly paths: { readonly current: HostPaths | undefined }
}

/** The service of commands, as far as additions depend on it. */
interface Commands {
  readonly config: ExecConfig
  /** Returns why a folder cannot be a root of commands, or undefined. */
  rootProblem(folder: string): Promise<string | undefined>
}

/** Writes hosts and paths that commands may reach to the configuration, for an owner in the console. */
export class PermanentAdditions {
  readonly #of: Surroundings
  readonly #commands: Commands
  readonly #audit: Audit

  constructor(surroundings: Surroundings, commands: Commands, audit: Audit) {
    this.#of = surroundings
    this.#commands = commands
    this.#audit = audit
  }

  /** Returns where the configuration would keep an addition, or why it cannot. */
  async offer(addition: ExecAddition): Promise<ExecOffer> {
    const problem = await this.#problem(addition)
    return { addition, key: keyOfAddition(addition), ...(problem === undefined ? {} : { problem }) }
  }

  /**
   * Adds to the list in the file, makes the host run it, and records who did it.
   *
   * @param by the owner, as the audit names it
   * @throws WireError `invalid_request` for an addition that cannot be allowed, `conflict` for a file that cannot be
   *   changed in place
   */
  async add(addition: ExecAddition, by: string, approvalId?: string): Promise<ExecOffer> {
    const offer = await this.offer(addition)
    const writer = this.#of.writer.current
    if (offer.problem !== undefined || writer === undefined)
      throw new WireError('invalid_request', `This cannot be allowed for good: ${offer.problem ?? NO_WRITER}`)
    const { section, list } = placeOfAddition(addition)
    await writer.change(section, (found) => {
      if (list === undefined) return extended(found, addition, offer.key)
      if (found !== undefined && found !== null && (typeof found !== 'object' || Array.isArray(found)))
        throw new WireError('conflict', `${section} is no map in the configuration file`)
      const view = (found ?? {}) as Readonly<Record<string, unknown>>
      return { ...view, [list]: extended(view[list], addition, offer.key) }
    })
    await this.#audit.add({
      kind: 'allow',
      command: `${additionText(addition)} in ${offer.key}`,
      origin: {},
      verdict: 'allow',
      rule: by,
      approvalId,
    })
    return offer
  }

  async #problem(addition: ExecAddition): Promise<string | undefined> {
    if (this.#of.writer.current === undefined) return NO_WRITER
    return addition.kind === 'host' ? this.#hostProblem(addition.host) : this.#pathProblem(addition.path)
  }

  #hostProblem(host: string): string | undefined {
    if (!isHostText(host)) return 'it is no host name'
    return networkOf(this.#commands.config) === 'none' ? 'ai.agent.execNetwork is none' : undefined
  }

  async #pathProblem(path: string): Promise<string | undefined> {
    if (!isAbsolute(path) || normalize(path) !== path) return 'it is no absolute path'
    if (marked(path) !== path) return 'it has characters that may deceive'
    // Nothing can be mounted for it.
    if (!(await exists(path))) return 'it is not there'
    const real = await withRealPaths([path])
    if (real.some(namesSecret)) return 'it may hold credentials, which are asked for each time'
    return this.#commands.rootProblem(path)
  }
}

const NO_WRITER = 'the plugin workspace, which writes the configuration, is not enabled'

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

function extended(found: unknown, addition: ExecAddition, key: string): readonly unknown[] {
  if (found !== undefined && found !== null && !Array.isArray(found))
    throw new WireError('conflict', `${key} is no list in the configuration file`)
  return withAddition(found ?? [], addition)
}
