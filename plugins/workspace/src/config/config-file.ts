import { relative } from 'node:path'
import { KernelError, type Configuration, type Problem, type SharedConfiguration } from '@mynah/kernel'
import { readTextFile } from '@mynah/kernel/files'
import { WireError, type Detail } from '@mynah/contract'
import type { Call } from '@mynah/plugin-http-core/api'
import { write } from '../files/write.js'
import { assertNotLockedOut } from './lockout.js'
import { secretPaths, type SchemasByPath } from './secrets.js'
import { tryParseYaml } from './values.js'
import type { Author, ConfigVersions } from './versions.js'

/** The sender of a change. Without one it is of the host itself or of a plugin. */
export type Caller = Pick<Call, 'origin' | 'principal' | 'address'> | undefined

const MAX_DETAILS = 20

/** The configuration file of a running host as text. */
export class ConfigFile {
  readonly #configuration: Configuration
  readonly #versions: ConfigVersions
  readonly #shared: SharedConfiguration | undefined

  /** @param shared what makes each change one of all hosts */
  constructor(configuration: Configuration, versions: ConfigVersions, shared: SharedConfiguration | undefined) {
    this.#configuration = configuration
    this.#versions = versions
    this.#shared = shared
  }

  /** Name of the file, relative to its folder. */
  get name(): string {
    return relative(this.#configuration.root, this.#configuration.file)
  }

  /** Returns the schemas of the sections that plugins claim. */
  schemas(): SchemasByPath {
    return new Map(
      Object.values(this.#configuration.schemas())
        .flat()
        .map(({ path, schema }) => [path, schema]),
    )
  }

  /**
   * Returns the text on disk.
   *
   * @throws WireError `conflict` for a file that is no text
   */
  read(): Promise<string> {
    return readTextFile(this.#configuration.file).catch((error: unknown) => {
      throw error instanceof KernelError ? new WireError('conflict', error.message, { cause: error }) : error
    })
  }

  /** Returns the problems of a text that keep it, or a part of it, from being run, and that the host has not yet. */
  async freshProblems(text: string): Promise<readonly Problem[]> {
    const running = this.#configuration.text()
    if (text === running) return []
    const problems = (await this.#configuration.check(text)).filter(({ severity }) => severity !== 'warning')
    const before = new Set((await this.#configuration.check(running)).map(({ message }) => message))
    return problems.filter(({ message, severity }) => severity === 'fatal' || !before.has(message))
  }

  /**
   * Checks a text that is to be written.
   *
   * @throws WireError `invalid_request:config`
   */
  async assertValid(text: string, caller: Caller): Promise<void> {
    const fresh = await this.freshProblems(text)
    const [first] = fresh
    if (!first) return assertNotLockedOut(text, this.#configuration.text(), caller?.origin)
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

  /** Writes a text, and keeps it as a version and the one before it as `.bak`. */
  async write(text: string, previous: string, caller: Caller): Promise<void> {
    const { file } = this.#configuration
    const writeFile = async (): Promise<void> => {
      // Announced before the write, because a watcher may notice the write at once.
      this.#configuration.wrote(file, text)
      await write(`${file}.bak`, previous, { mode: 0o600, exact: true })
      await write(file, text)
    }
    await (this.#shared ? this.#shared.publish({ before: previous, after: text }, writeFile) : writeFile())
    await this.keep(text, authorOf(caller))
  }

  /** Keeps a text as a version. */
  keep(text: string, author: Author): Promise<void> {
    return this.#versions.keep(text, author, secretPaths(tryParseYaml(text), this.schemas()))
  }
}

const authorOf = (caller: Caller): Author =>
  caller === undefined ? { from: 'host' } : { from: 'call', by: caller.principal.name, address: caller.address }
