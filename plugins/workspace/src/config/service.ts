// Reading and changing the configuration file of a running host.
import { readFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { messageOf, closestMatch, type Applied, type Configuration, type Logger } from '@mynah/kernel'
import { write } from '../write.js'
import { WireError, type Detail } from '@mynah/contract'
import { changedSections, type Section, type Values } from './changes.js'
import { setSection } from './edit.js'
import { assertOpen } from './lockout.js'
import { maskYaml, unmaskYaml } from './mask-yaml.js'
import { masked, unmasked, type SchemasByPath } from './secrets.js'
import { at, valuesIn, valuesOf } from './values.js'

/** What a change did. */
export interface Changed {
  readonly path: string
  readonly config: unknown
  readonly applied: boolean
}

/** One change: the texts around it (what shall run, what runs, what shall be in the file, what is in it), and the section. */
interface Change {
  readonly applied: string
  readonly running: string
  readonly written: string
  readonly onDisk: string
  readonly keys: readonly string[]
  readonly value: unknown
}

/** Time that a change has to take effect before its caller is answered, ms. */
const APPLY_PATIENCE_MS = 5_000
/** The same for the server itself: its change ends the connection that it came by, so that has to be answered first. */
const SERVER_PATIENCE_MS = 1_500
const MAX_DETAILS = 20
/** Characters of a section, as JSON: more than anybody writes, and no more than can be edited in passing. */
const MAX_SECTION = 131_072

export class ConfigService {
  readonly #configuration: Configuration
  readonly #log: Logger
  #tail: Promise<unknown> = Promise.resolve()
  readonly #putBack: (path: string, section: unknown) => void
  /** Texts that the host is being given from here. */
  readonly #own = new Set<string>()

  /** @param putBack Told of a section that did not start after its caller was answered, with what holds instead. */
  constructor(configuration: Configuration, log: Logger, putBack: (path: string, section: unknown) => void) {
    this.#configuration = configuration
    this.#log = log
    this.#putBack = putBack
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

  /** The text on disk, or what the host runs where the file cannot be read or is broken. */
  async #text(): Promise<string> {
    try {
      const text = await readFile(this.#configuration.file, 'utf8')
      valuesOf(text)
      return text
    } catch (error) {
      this.#log.warn(`the configuration file cannot be read, so the running one is shown: ${messageOf(error)}`)
      return this.#configuration.text()
    }
  }

  /** The whole configuration as written, secrets masked. */
  async all(): Promise<Record<string, unknown>> {
    return masked(valuesOf(await this.#text()), this.#schemas()) as Record<string, unknown>
  }

  async yaml(): Promise<string> {
    return maskYaml(await this.#text(), this.#schemas())
  }

  /** Plugin to the first path that it claims. */
  aliases(): Record<string, string> {
    const aliases: Record<string, string> = {}
    for (const { plugin, path } of this.#configuration.claims()) aliases[plugin] ??= path
    return aliases
  }

  /** The path that a claimed key, or the name of a plugin with exactly one claim, stands for. */
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

  /** One section as written, secrets masked; `undefined` where it is not written. */
  async section(name: string): Promise<unknown> {
    return at(await this.all(), this.pathOf(name).split('.'))
  }

  /** What a plugin, or a claimed key, has in the file: its section, or its sections by path where it claims several; null where it has none. */
  async written(name: string): Promise<unknown> {
    const claims = this.#configuration.claims()
    const own = claims.filter(({ plugin }) => plugin === name)
    if (own.length > 1 && !claims.some(({ path }) => path === name)) {
      const all = await this.all()
      return Object.fromEntries(own.map(({ path }) => [path, at(all, path.split('.')) ?? null]))
    }
    if (own.length === 0 && Object.hasOwn(this.#configuration.schemas(), name)) return null
    return (await this.section(name)) ?? null
  }

  /** Replaces a section, writes it back and applies it; `origin` is the page that asks for it, where it is one. */
  set(name: string, data: unknown, origin?: string): Promise<Changed> {
    return this.#exclusive(async () => {
      const path = this.pathOf(name)
      if ((JSON.stringify(data) ?? '').length > MAX_SECTION)
        throw new WireError('too_large', `A section may have ${MAX_SECTION} characters`)
      const keys = path.split('.')
      const onDisk = await readFile(this.#configuration.file, 'utf8')
      const running = this.#configuration.text()
      let old: unknown
      try {
        old = at(valuesOf(onDisk), keys)
      } catch (error) {
        throw new WireError('conflict', 'The configuration file on disk is not valid YAML; mend it first', {
          cause: error,
        })
      }
      const value = unmasked(data, old)
      const written = setSection(onDisk, keys, value)
      // What was saved to take effect at the next start must not take effect now by the way.
      const applied = onDisk === running ? written : setSection(running, keys, value)
      await this.#assertValid(applied, origin)
      if (written !== applied) await this.#assertValid(written, origin)
      if (written !== onDisk) await this.#write(written, onDisk)
      const done = await this.#apply(path, { applied, running, written, onDisk, keys, value })
      return { path, config: at(masked(valuesOf(written), this.#schemas()), keys), applied: done }
    })
  }

  /** Whether the host takes this text because of a change that was made here. */
  isOwn(text: string): boolean {
    return this.#own.has(text)
  }

  /** The sections that differ between the values of two texts, as they are now. */
  changes(before: Values, now: Values): Section[] {
    return changedSections(before, now, this.#configuration.claims(), this.#schemas())
  }

  /** Writes the whole text; it takes effect at the next start. Gives the sections that it changes. */
  save(yaml: string, origin?: string): Promise<Section[]> {
    return this.#exclusive(async () => {
      const old = await readFile(this.#configuration.file, 'utf8')
      try {
        valuesOf(yaml)
      } catch (error) {
        await this.#assertValid(yaml, origin)
        throw new WireError('invalid_request:config', messageOf(error))
      }
      const text = unmaskYaml(yaml, old)
      await this.#assertValid(text, origin)
      if (text === old) return []
      await this.#write(text, old)
      return this.changes(valuesIn(old) ?? {}, valuesOf(text))
    })
  }

  /** Schemas by plugin: the one schema, or one a path where it claims several. */
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
    // What was wrong before is not this change's doing.
    const before = new Set((await this.#configuration.check(this.#configuration.text())).map(({ message }) => message))
    const fresh = problems.filter(({ message, severity }) => severity === 'fatal' || !before.has(message))
    const [first] = fresh
    if (!first) return assertOpen(text, this.#configuration.text(), origin)
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
    // Told before it happens: a watcher that hears of the change must know it by then.
    this.#configuration.wrote(file, text)
    await write(`${file}.bak`, previous, { mode: 0o600, exact: true })
    await write(file, text)
  }

  /** Applies; gives whether it has taken effect by now. Who comes next does not wait for a plugin that takes its time. */
  async #apply(path: string, change: Change): Promise<boolean> {
    const applying = this.#refusalOf(change)
    const controller = new AbortController()
    const late = setTimeout(path === 'http' ? SERVER_PATIENCE_MS : APPLY_PATIENCE_MS, 'late' as const, {
      ref: false,
      signal: controller.signal,
    }).catch(() => 'late' as const)
    const outcome = await Promise.race([applying, late])
    controller.abort()
    if (outcome === undefined) return true
    if (outcome !== 'late') {
      await this.#undo(change)
      throw outcome
    }
    void applying
      .then((refused) => {
        if (refused) return this.#exclusive(() => this.#undoLate(path, change, refused))
        return undefined
      })
      .catch((error: unknown) =>
        this.#log.error(`a change of the configuration could not be put back: ${messageOf(error)}`),
      )
    return false
  }

  /** Why a change does not hold; `undefined` where it does. */
  async #refusalOf({ applied }: Change): Promise<unknown> {
    try {
      const { accepted, refusals, problems } = await this.#give(applied)
      if (accepted && refusals.length === 0) return undefined
      const mistakes = refusals.flatMap(({ mistakes: list }) => list)
      return new WireError(
        'invalid_request:config',
        mistakes[0]?.message ?? problems[0]?.message ?? 'The change was refused',
        { details: mistakes.slice(0, MAX_DETAILS) },
      )
    } catch (error) {
      return error
    }
  }

  /** Gives the host a text; those who are told of what it takes pass over it. */
  async #give(text: string): Promise<Applied> {
    this.#own.add(text)
    try {
      return await this.#configuration.apply(text)
    } finally {
      this.#own.delete(text)
    }
  }

  /** Puts a section back in the file and in what the host calls its text; what others changed meanwhile stays. */
  async #undo({ applied, running, written, onDisk, keys, value }: Change): Promise<void> {
    const runs = this.#configuration.text()
    const before = restored(runs, applied, running, keys, value)
    if (before !== undefined && before !== runs) await this.#give(before)
    const now = await readFile(this.#configuration.file, 'utf8')
    const back = restored(now, written, onDisk, keys, value)
    if (back !== undefined && back !== now) await this.#write(back, now)
  }

  async #undoLate(path: string, change: Change, refused: unknown): Promise<void> {
    await this.#undo(change)
    this.#log.error(
      `${path} did not start with its new configuration, so the previous one is back: ${messageOf(refused)}`,
    )
    this.#putBack(path, await this.section(path))
  }

  #exclusive<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#tail.then(work)
    this.#tail = mine.catch(() => undefined)
    return mine
  }
}

/** A text with one section as it was before: exactly, where nothing else has changed; `undefined` where somebody has written that section since. */
function restored(
  now: string,
  changed: string,
  before: string,
  keys: readonly string[],
  value: unknown,
): string | undefined {
  if (now === changed) return before
  const old = at(valuesOf(before), keys)
  return old !== undefined && isDeepStrictEqual(at(valuesOf(now), keys), value)
    ? setSection(now, [...keys], old)
    : undefined
}
