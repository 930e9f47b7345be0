import { readFile } from 'node:fs/promises'
import type { TSchema } from 'typebox'
import { hook, service, type Service } from '../base/token.js'
import type { PluginEntry, Report } from '../core/entry.js'
import type { Host } from '../core/host.js'
import { claimsOf, type AnyPlugin } from '../core/plugin.js'
import type { Section } from './document.js'
import type { Plan, Planner } from './plan.js'
import type { Problem } from './problem.js'
import type { Claim } from './sections.js'
import { SerialQueue } from '../util/serial-queue.js'

/** The result of {@link Configuration.apply}. */
export interface Applied extends Report {
  /** All problems found. When the text was not accepted, the reason is among them. */
  readonly problems: readonly Problem[]
}

/** A write of the host to its configuration or a file next to it. */
export interface OwnWrite {
  readonly file: string
  readonly text: string
}

/** The configuration file behind a host. */
export interface Configuration {
  /** Absolute path of the file. */
  readonly file: string
  /** Its folder. */
  readonly root: string
  /** Returns the text that the host runs. */
  text(): string
  /** Returns the values of that text, with `${…}` as written. */
  source(): Readonly<Record<string, unknown>>
  /** Returns which plugin claims which path, for enabled and disabled plugins. */
  claims(): readonly Claim[]
  /** Returns the claimed paths of each plugin with their schemas. */
  schemas(): Readonly<Record<string, readonly { path: string; schema: TSchema }[]>>
  /** Returns all problems that a start with this text would report. Changes nothing. */
  check(text: string): Promise<readonly Problem[]>
  /**
   * Makes the host run a text, by default that of the file. An invalid one is refused as a whole. Imports no module
   * twice.
   */
  apply(text?: string): Promise<Applied>
  /** Announces that the host is about to write this text to a file, so that file watchers ignore the change. */
  wrote(file: string, text: string): void
}

/** A change of the text that the host runs. Values have `${…}` as written. */
export interface Exchange {
  readonly text: string
  readonly before: Readonly<Record<string, unknown>>
  readonly now: Readonly<Record<string, unknown>>
}

/** Emitted whenever the host has accepted another text, from an editor, a command or a signal. */
export const exchanged = hook<Exchange>('configuration.exchanged')

/** Emitted for each write that {@link Configuration.wrote} announces. */
export const wrote = hook<OwnWrite>('configuration.wrote')

/** Provided by the loader. A host built from code has none. */
export const Configuration: Service<Configuration> = service<Configuration>('configuration')

/** The configuration file that the loader read. */
export class FileConfiguration implements Configuration {
  readonly file: string
  readonly root: string
  readonly #planner: Planner
  readonly #learn: (entries: readonly PluginEntry[]) => void
  #plan: Plan
  #host: Host | undefined
  readonly #edits = new SerialQueue()

  /** @param learn called with each configuration before plugins receive it */
  constructor(
    file: string,
    root: string,
    planner: Planner,
    plan: Plan,
    learn: (entries: readonly PluginEntry[]) => void,
  ) {
    this.file = file
    this.root = root
    this.#planner = planner
    this.#plan = plan
    this.#learn = learn
    learn(plan.entries)
  }

  attach(host: Host): void {
    this.#host = host
  }

  text(): string {
    return this.#plan.document?.text ?? ''
  }

  source(): Section {
    return this.#plan.document?.source ?? {}
  }

  claims(): readonly Claim[] {
    return this.#plan.claims
  }

  schemas(): Record<string, { path: string; schema: TSchema }[]> {
    return Object.fromEntries(this.#plan.entries.map(({ plugin }) => [plugin.name, claimsOf(plugin as AnyPlugin)]))
  }

  check(text: string): Promise<readonly Problem[]> {
    return this.#planner.check(text)
  }

  async apply(text?: string): Promise<Applied> {
    // Edits run one by one, so that each finds what the one before assigned. It does not wait for the plugins of that
    // one.
    const report = await this.#edits.run(() => this.#apply(text))
    return report()
  }

  /** Makes the edit. The returned function waits for the affected plugins. */
  async #apply(given: string | undefined): Promise<() => Promise<Applied>> {
    const text = given ?? (await readFile(this.file, 'utf8'))
    const plan = await this.#planner.plan(text)
    const { problems } = plan
    if (!this.#host || problems.some((found) => found.severity === 'fatal')) {
      plan.undo()
      return () => Promise.resolve({ accepted: false, refusals: [], updated: [], restarted: [], problems })
    }
    this.#learn(plan.entries)
    const { accepted, report } = await this.#host.edit(plan.entries)
    if (accepted) {
      const before = this.source()
      this.#plan = plan
      this.#host.emit(exchanged, { text, before, now: this.source() })
    } else {
      plan.undo()
    }
    return async () => ({ ...(await report()), problems })
  }

  wrote(file: string, text: string): void {
    this.#host?.emit(wrote, { file, text })
  }
}
