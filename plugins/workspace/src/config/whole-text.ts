import { WireError } from '@mynah/contract'
import type { ConfigVersion } from '@mynah/contract/types'
import { messageOf, type Configuration, type HostControl, type SharedConfiguration } from '@mynah/kernel'
import { readTextFile } from '@mynah/kernel/files'
import type { SerialQueue } from '@mynah/kernel/util'
import { etagOf } from '../files/etag.js'
import { maskBroken, unmaskBroken } from './broken-text.js'
import { changedSections, type Section } from './changes.js'
import type { Caller, ConfigFile } from './config-file.js'
import { maskYaml, unmaskYaml } from './mask-yaml.js'
import { withSecrets } from './secrets.js'
import { parseYaml, tryParseYaml } from './values.js'
import type { ConfigVersions } from './versions.js'

/** The first mistake for which the host would refuse the file, or a part of it. */
export interface FileProblem {
  readonly message: string
  /** Counted from 1. */
  readonly line?: number
  /** False for a file that is no YAML or no text. */
  readonly readable: boolean
}

/** The text of the file as a console shows it, with masked secrets. */
interface ShownText {
  readonly yaml: string
  /** Changes with the file. */
  readonly etag: string
  readonly problem?: FileProblem
}

interface Parts {
  readonly configuration: Configuration
  readonly file: ConfigFile
  readonly versions: ConfigVersions
  readonly shared: SharedConfiguration | undefined
  readonly host: Pick<HostControl, 'redact'>
  /** In which changes of the file run one after another. */
  readonly queue: SerialQueue
}

/** Reads and writes the configuration file as a whole, in the version on disk or in an older one. */
export class WholeText {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Returns the text on disk, or the running one where the file cannot be read. */
  async read(): Promise<ShownText> {
    const { configuration, file, host } = this.#parts
    let text: string
    try {
      text = await readTextFile(configuration.file)
    } catch (error) {
      const running = configuration.text()
      const problem = unreadable(error)
      return { yaml: maskYaml(running, file.schemas()), etag: etagOf(running), problem }
    }
    const problem = await this.#problemOf(text)
    const yaml =
      problem?.readable === false
        ? maskBroken(text, file.schemas(), (line) => host.redact(line))
        : maskYaml(text, file.schemas())
    return { yaml, etag: etagOf(text), ...(problem ? { problem } : {}) }
  }

  /** Returns the problem of the file on disk. */
  async problem(): Promise<FileProblem | undefined> {
    try {
      return await this.#problemOf(await readTextFile(this.#parts.configuration.file))
    } catch (error) {
      return unreadable(error)
    }
  }

  async #problemOf(text: string): Promise<FileProblem | undefined> {
    const { file, host } = this.#parts
    const [first] = await file.freshProblems(text)
    if (!first) return undefined
    const { line } = first.place ?? {}
    return {
      message: host.redact(first.message),
      ...(line === undefined ? {} : { line }),
      readable: tryParseYaml(text) !== undefined,
    }
  }

  /**
   * Writes the whole text, which takes effect at the next start, or at once where hosts share it.
   *
   * @param etag that of the text that was edited
   * @returns the changed sections
   * @throws WireError `conflict` where the file has changed since
   */
  save(yaml: string, etag: string | undefined, caller: Caller): Promise<Section[]> {
    return this.#parts.queue.run(async () => {
      const { file, configuration, host } = this.#parts
      const old = await file.read().catch((error: NodeJS.ErrnoException) => {
        // The running text was shown.
        if (error.code === 'ENOENT') return configuration.text()
        throw error
      })
      if (etag !== undefined && etag !== etagOf(old))
        throw new WireError('conflict', 'The file changed in the meantime; read it again')
      const isBroken = tryParseYaml(old) === undefined
      const unmask = (): string =>
        isBroken ? unmaskBroken(yaml, old, file.schemas(), (line) => host.redact(line)) : unmaskYaml(yaml, old)
      if (!isBroken) await this.#assertYaml(yaml, caller)
      return this.#replace(unmask(), old, caller)
    })
  }

  /** Returns the versions without their texts, the newest first. */
  async versions(): Promise<ConfigVersion[]> {
    const { file, versions } = this.#parts
    const onDisk = await file.read().catch(() => undefined)
    const list = await versions.list()
    const current = list.find(({ text }) => text === onDisk)
    return list.map((version) => {
      const { text: _text, secrets: _secrets, ...rest } = version
      return { ...rest, current: version === current }
    })
  }

  /**
   * Returns the text of a version, with masked secrets.
   *
   * @throws WireError `not_found`
   */
  async version(id: string): Promise<string> {
    const { text, secrets } = await this.#find(id)
    return maskYaml(text, withSecrets(this.#parts.file.schemas(), secrets))
  }

  /** Writes an older version, like {@link save}. */
  restore(id: string, caller: Caller): Promise<Section[]> {
    return this.#parts.queue.run(async () => {
      const { file, configuration } = this.#parts
      const { text } = await this.#find(id)
      const old = await file.read().catch(() => configuration.text())
      return this.#replace(text, old, caller)
    })
  }

  async #find(id: string) {
    const version = await this.#parts.versions.get(id)
    if (!version) throw new WireError('not_found', 'This version is not kept any more')
    return version
  }

  async #assertYaml(yaml: string, caller: Caller): Promise<void> {
    try {
      parseYaml(yaml)
    } catch (error) {
      await this.#parts.file.assertValid(yaml, caller)
      throw new WireError('invalid_request:config', messageOf(error))
    }
  }

  async #replace(text: string, old: string, caller: Caller): Promise<Section[]> {
    const { file, configuration, shared } = this.#parts
    await file.assertValid(text, caller)
    if (text === old) return []
    await file.write(text, old, caller)
    await shared?.follow()
    const before = tryParseYaml(old) ?? configuration.source()
    return changedSections(before, parseYaml(text), configuration.claims(), file.schemas())
  }
}

function unreadable(error: unknown): FileProblem {
  const { code } = error as NodeJS.ErrnoException
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: 'the file is missing',
    EACCES: 'the host may not read the file',
  }
  return { message: reasons[code ?? ''] ?? messageOf(error), readable: false }
}
