import { relative } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import {
  KernelError,
  messageOf,
  closestMatch,
  type Applied,
  type Configuration,
  type Logger,
  type SharedConfiguration,
} from '@mynah/kernel'
import { readTextFile } from '@mynah/kernel/files'
import { SerialQueue } from '@mynah/kernel/util'
import { write } from '../files/write.js'
import type { ConfigApplied } from '@mynah/contract/types'
import { unmaskSecrets, WireError, type Detail } from '@mynah/contract'
import { changedSections, type Section, type Values } from './changes.js'
import { setSection } from './edit-yaml.js'
import { assertNotLockedOut } from './lockout.js'
import { inTime } from './in-time.js'
import { maskYaml, unmaskYaml } from './mask-yaml.js'
import { reload, type RedactingHost } from './reload.js'
import { maskSecrets, type SchemasByPath } from './secrets.js'
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

const MAX_DETAILS = 20
/** Maximum size of a section as JSON in characters, so that an edit does not block the process. */
const MAX_SECTION = 131_072

/** Reads and changes the configuration file of a running host. Changes run one after another. */
export class ConfigService {
  readonly #configuration: Configuration
  readonly #log: Logger
  readonly #queue = new SerialQueue()
  readonly #onReverted: (path: string, section: unknown) => void
  readonly #shared: SharedConfiguration | undefined
  /** Texts that this service is applying. */
  readonly #own = new Set<string>()

  /**
   * @param onReverted called with a section that was restored because its change failed after the caller was answered
   * @param shared what makes each change one of all hosts
   */
  constructor(
    configuration: Configuration,
    log: Logger,
    onReverted: (path: string, section: unknown) => void,
    shared?: SharedConfiguration,
  ) {
    this.#shared = shared
    this.#configuration = configuration
    this.#log = log
    this.#onReverted = onReverted
  }

  /** Whether a change is one of all hosts. */
  get isShared(): boolean {
    return this.#shared !== undefined
  }

  /** Name of the file, relative to its folder. */
  get fileName(): string {
    return relative(this.#configuration.root, this.#configuration.file)
  }

  #schemas(): SchemasByPath {
    return new Map(
      Object.values(this.#configuration.schemas())
        .flat()
        .map(({ path, schema }) => [path, schema]),
    )
  }

  /** Returns the text on disk, or the running text if the file is unreadable or broken. */
  async #text(): Promise<string> {
    try {
      const text = await readTextFile(this.#configuration.file)
      parseYaml(text)
      return text
    } catch (error) {
      this.#log.warn(`failed to read the configuration file, showing the running configuration: ${messageOf(error)}`)
      return this.#configuration.text()
    }
  }

  /** Returns the text on disk. */
  #onDisk(): Promise<string> {
    return readTextFile(this.#configuration.file).catch((error: unknown) => {
      throw error instanceof KernelError ? new WireError('conflict', error.message, { cause: error }) : error
    })
  }

  /** Returns the whole configuration as written, with masked secrets. */
  async all(): Promise<Record<string, unknown>> {
    return maskSecrets(parseYaml(await this.#text()), this.#schemas()) as Record<string, unknown>
  }

  async yaml(): Promise<string> {
    return maskYaml(await this.#text(), this.#schemas())
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

  /**
   * Replaces a section, writes the file and applies the change. `origin` is the origin of the requesting page, if any.
   */
  set(name: string, data: unknown, origin?: string): Promise<ChangeResult> {
    return this.#queue.run(() => this.#change(this.pathOf(name), (old) => unmaskSecrets(data, old), origin))
  }

  /** The same for a change that depends on the section in the file, which has its secrets as written. */
  change(name: string, change: (section: unknown) => unknown): Promise<ChangeResult> {
    return this.#queue.run(() => this.#change(this.pathOf(name), change, undefined))
  }

  /** The same for any path, such as `plugins`, which no plugin claims. */
  changePath(path: string, change: (value: unknown) => unknown, origin?: string): Promise<ChangeResult> {
    return this.#queue.run(() => this.#change(path, change, origin))
  }

  /** Makes the host run what is on disk, after the changes that go on. */
  reload(host: RedactingHost['host'], onAccepted: () => void): Promise<ConfigApplied> {
    const parts = { host, configuration: this.#configuration, shared: this.#shared }
    return this.#queue.run(() => reload(parts, this.#log, onAccepted))
  }

  /** Replaces the value at a path, writes the file and applies the change. */
  async #change(path: string, next: (old: unknown) => unknown, origin: string | undefined): Promise<ChangeResult> {
    const keys = path.split('.')
    const onDisk = await this.#onDisk()
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
    await this.#assertValid(applied, origin)
    if (written !== applied) await this.#assertValid(written, origin)
    if (written !== onDisk) await this.#write(written, onDisk)
    const done = await this.#apply(path, { applied, running, written, onDisk, keys, value })
    return { path, config: valueAt(maskSecrets(parseYaml(written), this.#schemas()), keys), applied: done }
  }

  /** Returns whether this service is applying the text. */
  isOwn(text: string): boolean {
    return this.#own.has(text)
  }

  /** Returns the sections that differ, with masked secrets. */
  changes(before: Values, now: Values): Section[] {
    return changedSections(before, now, this.#configuration.claims(), this.#schemas())
  }

  /**
   * Writes the whole text, which takes effect at the next start, or at once where hosts share it. Returns the changed
   * sections.
   */
  save(yaml: string, origin?: string): Promise<Section[]> {
    return this.#queue.run(async () => {
      const old = await this.#onDisk()
      try {
        parseYaml(yaml)
      } catch (error) {
        await this.#assertValid(yaml, origin)
        throw new WireError('invalid_request:config', messageOf(error))
      }
      const text = unmaskYaml(yaml, old)
      await this.#assertValid(text, origin)
      if (text === old) return []
      await this.#write(text, old)
      await this.#shared?.follow()
      return this.changes(tryParseYaml(old) ?? {}, parseYaml(text))
    })
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

  async #assertValid(text: string, origin: string | undefined): Promise<void> {
    const problems = (await this.#configuration.check(text)).filter(({ severity }) => severity !== 'warning')
    // Existing problems do not block this change.
    const before = new Set((await this.#configuration.check(this.#configuration.text())).map(({ message }) => message))
    const fresh = problems.filter(({ message, severity }) => severity === 'fatal' || !before.has(message))
    const [first] = fresh
    if (!first) return assertNotLockedOut(text, this.#configuration.text(), origin)
    const details: Detail[] = fresh.slice(0, MAX_DETAILS).map(({ message, place }) => ({
      path: place?.path ?? (place?.line === undefined ? '' : `line ${place.line}`),
      message,
    }))
    throw new WireError(
      'invalid_request:config',
      first.place?.line === undefined ? first.message : `line ${first.place.line}: ${first.message}`,
      { details },
    )
  }

  async #write(text: string, previous: string): Promise<void> {
    const { file } = this.#configuration
    const writeFile = async (): Promise<void> => {
      // Announced before the write, because a watcher may notice the write at once.
      this.#configuration.wrote(file, text)
      await write(`${file}.bak`, previous, { mode: 0o600, exact: true })
      await write(file, text)
    }
    await (this.#shared ? this.#shared.publish({ before: previous, after: text }, writeFile) : writeFile())
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
    const now = await this.#onDisk()
    const back = revertSection(now, written, onDisk, keys, value)
    if (back !== undefined && back !== now) await this.#write(back, now)
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
