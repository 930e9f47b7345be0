// Reading and changing the configuration file of a running host.
import { readFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { messageOf, nearest, type Configuration, type Logger } from '@mynah/kernel'
import { write } from '../write.js'
import { WireError, type Detail } from '@mynah/contract'
import { setSection } from './edit.js'
import { maskYaml, unmaskYaml } from './mask-yaml.js'
import { masked, unmasked, type SchemasByPath } from './secrets.js'
import { at, valuesOf } from './values.js'

/** What a change did. */
export interface Changed { readonly path: string; readonly config: unknown; readonly applied: boolean }

/** The texts around one change: what shall run, what runs, what shall be in the file, what is in it. */
interface Texts { readonly applied: string; readonly running: string; readonly written: string; readonly onDisk: string }

/**
 * Time that a change has to take effect before its caller is answered, ms. A change of the server itself ends the
 * connection it came by, so it must be answered first.
 */
const APPLY_PATIENCE_MS = 1_500
const MAX_DETAILS = 20

export class ConfigService {
  readonly #configuration: Configuration
  readonly #log: Logger
  #tail: Promise<unknown> = Promise.resolve()
  /** A change that was answered before it was done. */
  #unfinished: Promise<unknown> = Promise.resolve()

  constructor(configuration: Configuration, log: Logger) {
    this.#configuration = configuration
    this.#log = log
  }

  /** Name of the file, relative to its folder. */
  get fileName(): string {
    return relative(this.#configuration.root, this.#configuration.file)
  }

  #schemas(): SchemasByPath {
    return new Map(Object.values(this.#configuration.schemas()).flat().map(({ path, schema }) => [path, schema]))
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
    if (own.length > 1) throw new WireError('invalid_request', `The plugin "${name}" has several sections: ${own.map(({ path }) => path).join(', ')}`, { details: [{ path: 'pluginName', message: `must be one of ${own.map(({ path }) => path).join(', ')}` }] })
    if (Object.hasOwn(this.#configuration.schemas(), name)) throw new WireError('not_found', `The plugin "${name}" has no configuration`)
    const meant = nearest(name, claims.flatMap(({ plugin, path }) => [plugin, path]))
    throw new WireError('not_found', `No plugin and no section is called "${name}"${meant ? `; did you mean "${meant}"?` : ''}`)
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

  /** Replaces a section, writes it back and applies it. */
  set(name: string, data: unknown): Promise<Changed> {
    return this.#exclusive(async () => {
      const path = this.pathOf(name)
      const keys = path.split('.')
      const onDisk = await readFile(this.#configuration.file, 'utf8')
      const running = this.#configuration.text()
      let old: unknown
      try {
        old = at(valuesOf(onDisk), keys)
      } catch (error) {
        throw new WireError('conflict', 'The configuration file on disk is not valid YAML; mend it first', { cause: error })
      }
      const value = unmasked(data, old)
      const written = setSection(onDisk, keys, value)
      // What was saved to take effect at the next start must not take effect now by the way.
      const applied = onDisk === running ? written : setSection(running, keys, value)
      await this.#assertValid(applied)
      if (written !== applied) await this.#assertValid(written)
      if (written !== onDisk) await this.#write(written, onDisk)
      const done = await this.#apply({ applied, running, written, onDisk })
      return { path, config: at(masked(valuesOf(written), this.#schemas()), keys), applied: done }
    })
  }

  /** Writes the whole text; it takes effect at the next start. */
  save(yaml: string): Promise<void> {
    return this.#exclusive(async () => {
      const old = await readFile(this.#configuration.file, 'utf8')
      try {
        valuesOf(yaml)
      } catch (error) {
        await this.#assertValid(yaml)
        throw new WireError('invalid_request:config', messageOf(error))
      }
      const text = unmaskYaml(yaml, old)
      await this.#assertValid(text)
      if (text !== old) await this.#write(text, old)
    })
  }

  /** Schemas by plugin: the one schema, or one a path where it claims several. */
  schemas(): Record<string, unknown> {
    return Object.fromEntries(Object.entries(this.#configuration.schemas()).filter(([, list]) => list.length > 0).map(([plugin, list]) => [plugin, this.#combined(list)]))
  }

  schema(name: string): unknown {
    const schemas = this.#configuration.schemas()
    const own = Object.hasOwn(schemas, name) ? schemas[name] : undefined
    if (own?.length) return this.#combined(own)
    return Object.values(schemas).flat().find(({ path }) => path === name)?.schema ?? null
  }

  #combined(list: readonly { path: string; schema: object }[]): object {
    const [only] = list
    if (list.length === 1 && only) return only.schema
    return { type: 'object', properties: Object.fromEntries(list.map(({ path, schema }) => [path, schema])) }
  }

  async #assertValid(text: string): Promise<void> {
    const problems = (await this.#configuration.check(text)).filter(({ severity }) => severity !== 'warning')
    // What was wrong before is not this change's doing.
    const before = new Set((await this.#configuration.check(this.#configuration.text())).map(({ message }) => message))
    const fresh = problems.filter(({ message, severity }) => severity === 'fatal' || !before.has(message))
    const [first] = fresh
    if (!first) return
    const details: Detail[] = fresh.slice(0, MAX_DETAILS).map(({ message, place }) => ({ path: place?.path ?? (place?.line === undefined ? '' : `line ${place.line}`), message }))
    throw new WireError('invalid_request:config', first.place?.line === undefined ? first.message : `line ${first.place.line}: ${first.message}`, { details })
  }

  async #write(text: string, previous: string): Promise<void> {
    const { file } = this.#configuration
    // Told before it happens: a watcher that hears of the change must know it by then.
    this.#configuration.wrote(file, text)
    await write(`${file}.bak`, previous, { mode: 0o600 })
    await write(file, text)
  }

  /** Applies; gives whether it has taken effect by now. What does not start with the change is put back, in the file too. */
  async #apply(texts: Texts): Promise<boolean> {
    const applying = this.#applyOrPutBack(texts)
    const controller = new AbortController()
    const late = setTimeout(APPLY_PATIENCE_MS, false, { ref: false, signal: controller.signal }).catch(() => false)
    const done = await Promise.race([applying.then(() => true), late])
    controller.abort()
    if (!done) this.#unfinished = applying.catch((error: unknown) => this.#log.error(`a change of the configuration was put back: ${messageOf(error)}`))
    return done
  }

  async #applyOrPutBack({ applied, running, written, onDisk }: Texts): Promise<void> {
    let refused: unknown
    try {
      const { accepted, refusals, problems } = await this.#configuration.apply(applied)
      if (accepted && refusals.length === 0) return
      const mistakes = refusals.flatMap(({ mistakes: list }) => list)
      refused = new WireError('invalid_request:config', mistakes[0]?.message ?? problems[0]?.message ?? 'The change was refused', { details: mistakes.slice(0, MAX_DETAILS) })
      // The plugin that did not start runs with its previous section again; the host's text has to say so too.
      if (accepted) await this.#configuration.apply(running)
    } catch (error) {
      refused = error
    }
    if (written !== onDisk) await this.#write(onDisk, written)
    throw refused
  }

  #exclusive<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#tail.then(() => this.#unfinished).then(work)
    this.#tail = mine.catch(() => undefined)
    return mine
  }
}
