// The configuration of a running host, for those who show, check and change it.
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

/** What {@link Configuration.apply} did. */
export interface Applied extends Report {
  /** Everything that was found; where nothing was accepted, the reason is among it. */
  readonly problems: readonly Problem[]
}

/** A write that the host makes to a file beside its configuration. */
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
  /** The text that the host runs. */
  text(): string
  /** The same as values, with `${…}` as written. */
  source(): Readonly<Record<string, unknown>>
  /** Which plugin reads which path; of an enabled or disabled one alike. */
  claims(): readonly Claim[]
  /** The schemas of each plugin's paths. */
  schemas(): Readonly<Record<string, readonly { path: string; schema: TSchema }[]>>
  /** Everything that a start with this text would say. Changes nothing. */
  check(text: string): Promise<readonly Problem[]>
  /** Makes the host run this text, by default that of the file. Refused whole where it is invalid; modules are never imported again. */
  apply(text?: string): Promise<Applied>
  /** Tells that the host itself is about to write this text to a file, so that whoever watches files passes over it. */
  wrote(file: string, text: string): void
}

/** The values of two texts, with `${…}` as written: what the host ran, and what it runs in its place. */
export interface Exchange {
  readonly text: string
  readonly before: Readonly<Record<string, unknown>>
  readonly now: Readonly<Record<string, unknown>>
}

/** Emitted whenever the host has taken a text, whoever gave it: an editor, a command, a signal. */
export const exchanged = hook<Exchange>('configuration.exchanged')

/** Emitted for each write that is told of with {@link Configuration.wrote}. */
export const wrote = hook<OwnWrite>('configuration.wrote')

/** Provided by the loader; a host built from code has none. */
export const Configuration: Service<Configuration> = service<Configuration>('configuration')

/** The one implementation. */
export class FileConfiguration implements Configuration {
  readonly file: string
  readonly root: string
  readonly #planner: Planner
  readonly #learn: (entries: readonly PluginEntry[]) => void
  #plan: Plan
  #host: Host | undefined
  #tail: Promise<unknown> = Promise.resolve()

  /** @param learn Told of each configuration before plugins are given it. */
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
    return this.#planner.look(text)
  }

  async apply(text?: string): Promise<Applied> {
    // One after the other: what the second finds is what the first assigned. It need not wait for what that started.
    const edit = this.#tail.then(() => this.#apply(text))
    this.#tail = edit.catch(() => undefined)
    return (await edit)()
  }

  /** Makes the edit; what it gives waits for those concerned. */
  async #apply(given: string | undefined): Promise<() => Promise<Applied>> {
    const text = given ?? (await readFile(this.file, 'utf8'))
    const plan = await this.#planner.take(text)
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
