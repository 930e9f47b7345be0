import type { TSchema } from 'typebox'
import { hook, service, type Service } from '../base/token.js'
import type { Renewal } from '../core/definition.js'
import type { Report } from '../core/entry.js'
import type { Problem } from './problem.js'
import type { InstalledPlugin } from './resolve.js'
import type { Claim, ListedName } from './sections.js'

/** The result of {@link Configuration.apply}. */
export interface Applied extends Report {
  /** All problems found. When the text was not accepted, the reason is among them. */
  readonly problems: readonly Problem[]
}

/** The result of {@link Configuration.renew}. */
export type Renewed =
  | Renewal
  /** The code is such that only a new process can run it. */
  | { readonly state: 'restart'; readonly reason: string }

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
  /** Returns the items of `plugins` in the order of the text that the host runs. */
  listed(): readonly ListedName[]
  /** Returns the plugins that are installed where the host looks for them, listed or not. */
  installed(): readonly InstalledPlugin[]
  /**
   * Returns the paths that an installed plugin claims, with their schemas, listed or not. Loads its code.
   *
   * @throws KernelError `plugin/unknown`, or the reason why it cannot be loaded
   */
  describe(plugin: string): Promise<readonly { path: string; schema: TSchema }[]>
  /** Returns the claimed paths of each plugin with their schemas. */
  schemas(): Readonly<Record<string, readonly { path: string; schema: TSchema }[]>>
  /**
   * Returns a value that is not saved as plugins would receive it: `${…}` filled in, and converted to the types of the
   * schema. Changes nothing.
   *
   * @throws KernelError for a missing variable or another mistake in `${…}`
   */
  fill(value: Readonly<Record<string, unknown>>, schema: object): Promise<Record<string, unknown>>
  /** Returns all problems that a start with this text would report. Changes nothing. */
  check(text: string): Promise<readonly Problem[]>
  /**
   * Makes the host run a text, by default that of the file. An invalid one is refused as a whole. Imports no module
   * twice but those that could not be loaded.
   */
  apply(text?: string): Promise<Applied>
  /**
   * Loads the code of a plugin once more and lets the host run it. Code that cannot be loaded, does not fit the
   * configuration or does not start leaves the code before running.
   *
   * @throws KernelError `host/unknown-plugin`
   */
  renew(plugin: string): Promise<Renewed>
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

/** Changes sections of the configuration file of a running host. */
export interface ConfigurationWriter {
  /**
   * Replaces a section, with its comments kept, and makes the host run it. Changes run one after another, and each sees
   * the section of the one before, so that two of them at once lose nothing.
   *
   * @param path a claimed path, such as `ai.agent.execHosts`
   * @param change returns the new section. It gets the one in the file, with `${…}` as written, or undefined
   * @returns whether the change is in effect already. A slow plugin may take longer
   * @throws WireError `conflict` for a file that cannot be read, `invalid_request` for a section that is refused, and
   *   what `change` throws. The file is as it was then
   */
  change(path: string, change: (section: unknown) => unknown): Promise<{ readonly applied: boolean }>
  /**
   * Replaces the list `plugins` in the same way.
   *
   * @param change gets the items of the list, each a name or an object with `name`
   */
  changePlugins(change: (items: readonly unknown[]) => readonly unknown[]): Promise<{ readonly applied: boolean }>
}

/** Provided by a plugin that writes the file, such as `workspace`. */
export const ConfigurationWriter: Service<ConfigurationWriter> = service<ConfigurationWriter>('configuration-writer', {
  plugin: 'workspace',
})
