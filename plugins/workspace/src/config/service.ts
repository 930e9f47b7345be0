import { isDeepStrictEqual } from 'node:util'
import {
  messageOf,
  closestMatch,
  type Applied,
  type Configuration,
  type Logger,
  type SharedConfiguration,
} from '@mynah/kernel'
import { readTextFile } from '@mynah/kernel/files'
import type { SerialQueue } from '@mynah/kernel/util'
import type { ConfigApplied } from '@mynah/contract/types'
import { unmaskSecrets, WireError } from '@mynah/contract'
import { changedSections, type Section, type Values } from './changes.js'
import type { Caller, ConfigFile } from './config-file.js'
import { setSection } from './edit-yaml.js'
import { inTime } from './in-time.js'
import { reload, type RedactingHost } from './reload.js'
import { maskSecrets } from './secrets.js'
import { valueAt, tryParseYaml, parseYaml } from './values.js'

/** The result of a change. */
export interface ChangeResult {
  readonly path: string
  readonly config: unknown
  readonly applied: boolean
}

/** A change of one section: new and old text of the running configuration and of the file. */
interface Change {
  readonly applied: string
  readonly running: string
  readonly written: string
  readonly onDisk: string
  readonly keys: readonly string[]
  readonly value: unknown
}

/** Mistakes that an answer lists. */
const MAX_DETAILS = 20
/** Maximum size of a section as JSON in characters, so that an edit does not block the process. */
const MAX_SECTION = 131_072

interface Parts {
  readonly configuration: Configuration
  readonly file: ConfigFile
  readonly log: Logger
  /** Makes each change one of all hosts. */
  readonly shared: SharedConfiguration | undefined
  /** In which changes of the file run one after another. */
  readonly queue: SerialQueue
  /** Called with a section that was restored because its change failed after the caller was answered. */
  readonly onReverted: (path: string, section: unknown) => void
}

/** Reads and changes sections of the configuration file of a running host. */
export class ConfigService {
  readonly #configuration: Configuration
  readonly #file: ConfigFile
  readonly #log: Logger
  readonly #queue: SerialQueue
  readonly #onReverted: Parts['onReverted']
  readonly #shared: SharedConfiguration | undefined
  /** Texts that this service is applying. */
  readonly #own = new Set<string>()

  constructor({ configuration, file, log, queue, onReverted, shared }: Parts) {
    this.#configuration = configuration
    this.#file = file
    this.#log = log
    this.#queue = queue
    this.#onReverted = onReverted
    this.#shared = shared
  }

  /** Returns the values on disk, or those of the running text if the file is unreadable or broken. */
  async #values(): Promise<Values> {
    const text = await readTextFile(this.#configuration.file).catch(() => undefined)
    return (text === undefined ? undefined : tryParseYaml(text)) ?? parseYaml(this.#configuration.text())
  }

  /** Returns the whole configuration as written, with masked secrets. */
  async all(): Promise<Record<string, unknown>> {
    return maskSecrets(await this.#values(), this.#file.schemas()) as Record<string, unknown>
  }

  /** Returns the first claimed path of each plugin. */
  aliases(): Record<string, string> {
    const aliases: Record<string, string> = {}
    for (const { plugin, path } of this.#configuration.claims()) aliases[plugin] ??= path
    return aliases
  }

  /** Returns the path of a claimed key or of a plugin with exactly one claim. */
  pathOf(name: string): string {
    const claims = this.#configuration.claims()
    if (claims.some(({ path }) => path === name)) return name
    const own = claims.filter(({ plugin }) => plugin === name)
    const [only] = own
    if (own.length === 1 && only) return only.path
    if (own.length > 1)
      throw new WireError(
        'invalid_request',
        `The plugin "${name}" has several sections: ${own.map(({ path }) => path).join(', ')}`,
        { details: [{ path: 'pluginName', message: `must be one of ${own.map(({ path }) => path).join(', ')}` }] },
      )
    if (Object.hasOwn(this.#configuration.schemas(), name))
      throw new WireError('not_found', `The plugin "${name}" has no configuration`)
    const meant = closestMatch(
      name,
      claims.flatMap(({ plugin, path }) => [plugin, path]),
    )
    throw new WireError(
      'not_found',
      `No plugin and no section is called "${name}"${meant ? `; did you mean "${meant}"?` : ''}`,
    )
  }

  /** Returns a section as written, with masked secrets, or `undefined` if it is missing. */
  async section(name: string): Promise<unknown> {
    return valueAt(await this.all(), this.pathOf(name).split('.'))
  }

  /** Returns the section of a plugin or claimed key, or sections by path for a plugin with several claims, or null. */
  async sectionsOf(name: string): Promise<unknown> {
    const claims = this.#configuration.claims()
    const own = claims.filter(({ plugin }) => plugin === name)
    if (own.length > 1 && !claims.some(({ path }) => path === name)) {
      const all = await this.all()
      return Object.fromEntries(own.map(({ path }) => [path, valueAt(all, path.split('.')) ?? null]))
    }
    if (own.length === 0 && Object.hasOwn(this.#configuration.schemas(), name)) return null
    return (await this.section(name)) ?? null
  }

  /** Replaces a section, writes the file and applies the change. */
  set(name: string, data: unknown, caller?: Caller): Promise<ChangeResult> {
    return this.#queue.run(() => this.#change(this.pathOf(name), (old) => unmaskSecrets(data, old), caller))
  }

  /** The same for a change that depends on the section in the file, which has its secrets as written. */
  change(name: string, change: (section: unknown) => unknown): Promise<ChangeResult> {
    return this.#queue.run(() => this.#change(this.pathOf(name), change, undefined))
  }

  /** The same for any path, such as `plugins`, which no plugin claims. */
  changePath(path: string, change: (value: unknown) => unknown, caller?: Caller): Promise<ChangeResult> {
    return this.#queue.run(() => this.#change(path, change, caller))
  }

  /** Makes the host run what is on disk, after the changes that go on. */
  reload(host: RedactingHost['host'], onAccepted: () => void): Promise<ConfigApplied> {
    const parts = { host, configuration: this.#configuration, shared: this.#shared }
    return this.#queue.run(() => reload(parts, this.#log, onAccepted))
  }

  /** Replaces the value at a path, writes the file and applies the change. */
  async #change(path: string, next: (old: unknown) => unknown, caller: Caller): Promise<ChangeResult> {
    const keys = path.split('.')
    const onDisk = await this.#file.read()
    const running = this.#configuration.text()
    let old: unknown
    try {
      old = valueAt(parseYaml(onDisk), keys)
    } catch (error) {
      throw new WireError('conflict', 'The configuration file on disk is not valid YAML; fix it first', {
        cause: error,
      })
    }
    const value = next(old)
    if ((JSON.stringify(value) ?? '').length > MAX_SECTION)
      throw new WireError('too_large', `A section may have ${MAX_SECTION} characters`)
    const written = setSection(onDisk, keys, value)
    // Edits of the file that wait for the next start must not take effect with this change.
    const applied = onDisk === running ? written : setSection(running, keys, value)
    await this.#file.assertValid(applied, caller)
    if (written !== applied) await this.#file.assertValid(written, caller)
    if (written !== onDisk) await this.#file.write(written, onDisk, caller)
    const done = await this.#apply(path, { applied, running, written, onDisk, keys, value })
    return { path, config: valueAt(maskSecrets(parseYaml(written), this.#file.schemas()), keys), applied: done }
  }

  /** Returns whether this service is applying the text. */
  isOwn(text: string): boolean {
    return this.#own.has(text)
  }

  /** Returns the sections that differ, with masked secrets. */
  changes(before: Values, now: Values): Section[] {
    return changedSections(before, now, this.#configuration.claims(), this.#file.schemas())
  }

  /** Returns the schema of each plugin. A plugin with several claims gets one schema with a property for each path. */
  schemas(): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(this.#configuration.schemas())
        .filter(([, list]) => list.length > 0)
        .map(([plugin, list]) => [plugin, this.#combined(list)]),
    )
  }

  schema(name: string): unknown {
    const schemas = this.#configuration.schemas()
    const own = Object.hasOwn(schemas, name) ? schemas[name] : undefined
    if (own?.length) return this.#combined(own)
    return (
      Object.values(schemas)
        .flat()
        .find(({ path }) => path === name)?.schema ?? null
    )
  }

  #combined(list: readonly { path: string; schema: object }[]): object {
    const [only] = list
    if (list.length === 1 && only) return only.schema
    return { type: 'object', properties: Object.fromEntries(list.map(({ path, schema }) => [path, schema])) }
  }

  /**
   * Applies a change. Returns whether it has taken effect in time, so that later changes do not wait for a slow plugin.
   */
  async #apply(path: string, change: Change): Promise<boolean> {
    const applying = this.#failureOf(change)
    const outcome = await inTime(applying, path === 'http')
    if (outcome === undefined) return true
    if (outcome !== 'timeout') {
      await this.#undo(change)
      throw outcome
    }
    void applying
      .then((failure) => {
        if (failure) return this.#queue.run(() => this.#undoInBackground(path, change, failure))
        return undefined
      })
      .catch((error: unknown) => this.#log.error(`failed to restore the configuration: ${messageOf(error)}`))
    return false
  }

  /** Applies a change. Returns the error if it failed. */
  async #failureOf({ applied }: Change): Promise<unknown> {
    try {
      const { accepted, refusals, problems } = await this.#applyText(applied)
      if (accepted && refusals.length === 0) return undefined
      const mistakes = refusals.flatMap(({ mistakes: list }) => list)
      return new WireError(
        'invalid_request:config',
        mistakes[0]?.message ?? problems[0]?.message ?? 'The change was rejected',
        { details: mistakes.slice(0, MAX_DETAILS) },
      )
    } catch (error) {
      return error
    }
  }

  /** Applies a text and marks it as own, so that the host's event about it is ignored. */
  async #applyText(text: string): Promise<Applied> {
    this.#own.add(text)
    try {
      return await this.#configuration.apply(text)
    } finally {
      this.#own.delete(text)
    }
  }

  /** Restores a section in the file and in the running text. Concurrent changes of other sections stay. */
  async #undo({ applied, running, written, onDisk, keys, value }: Change): Promise<void> {
    const runs = this.#configuration.text()
    const before = revertSection(runs, applied, running, keys, value)
    if (before !== undefined && before !== runs) await this.#applyText(before)
    const now = await this.#file.read()
    const back = revertSection(now, written, onDisk, keys, value)
    if (back !== undefined && back !== now) await this.#file.write(back, now, undefined)
  }

  async #undoInBackground(path: string, change: Change, failure: unknown): Promise<void> {
    await this.#undo(change)
    this.#log.error(
      `${path} failed to start with its new configuration; the previous one was restored: ${messageOf(failure)}`,
    )
    this.#onReverted(path, await this.section(path))
  }
}

/**
 * Returns a text with one section restored. Returns the exact old text if nothing else has changed, and `undefined` if
 * the
 * section was changed again.
 */
function revertSection(
  now: string,
  changed: string,
  before: string,
  keys: readonly string[],
  value: unknown,
): string | undefined {
  if (now === changed) return before
  const old = valueAt(parseYaml(before), keys)
  return old !== undefined && isDeepStrictEqual(valueAt(parseYaml(now), keys), value)
    ? setSection(now, [...keys], old)
    : undefined
}
