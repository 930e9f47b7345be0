import type { Static, TSchema } from 'typebox'
import { KernelError } from '../base/errors.js'
import type { Needs, Service } from '../base/token.js'
import type { Awaitable } from '../util/awaitable.js'
import type { Context } from './context.js'

/** A mistake in a configuration: the full key path, and what was expected there. */
export interface Mistake {
  readonly path: string
  readonly message: string
  /** The mistake ends the start of the host instead of failing its plugin. */
  readonly fatal?: true
}

/** Claims one configuration path, with its JSON Schema (2020-12). */
export interface SingleClaim<S extends TSchema = TSchema> {
  readonly key: string
  readonly schema: S
  /** An invalid section ends the start of the host instead of failing this plugin. */
  readonly fatal?: true
  /** Checks what a schema cannot express. Called for sections that fit the schema, with defaults filled in. */
  check?(config: Static<S>): readonly Mistake[]
  /** Names what is allowed and probably not meant. It keeps the plugin from nothing. */
  warn?(config: Static<S>): readonly Mistake[]
}
/** Claims several configuration paths, each with its schema. `ctx.config` is keyed by path. */
export interface ManyClaims<K extends Readonly<Record<string, TSchema>> = Readonly<Record<string, TSchema>>> {
  readonly keys: K
  readonly fatal?: true
  /** Checks what the schemas cannot express. The sections are keyed by path. */
  check?(config: { readonly [P in keyof K]: Static<K[P]> }): readonly Mistake[]
  /** Names what is allowed and probably not meant. It keeps the plugin from nothing. */
  warn?(config: { readonly [P in keyof K]: Static<K[P]> }): readonly Mistake[]
}
export type Claims = SingleClaim | ManyClaims

/**
 * The schema of some items of a list that another plugin claims: of those whose `key` has the value `value`. It is
 * known without a start of the plugin, so that every check of a configuration uses it.
 */
export interface ItemSchema {
  /** Path of the list, such as `endpoints`. */
  readonly list: string
  /** The key that tells whose item it is, such as `adapter`. */
  readonly key: string
  readonly value: string
  /** Schema of the whole item, the keys of the list's owner included. */
  readonly schema: TSchema
}

/** The type of `ctx.config` that follows from the claims. */
export type ConfigOf<C> =
  C extends SingleClaim<infer S>
    ? Static<S>
    : C extends ManyClaims<infer K>
      ? { readonly [P in keyof K]: Static<K[P]> }
      : undefined

/** The handle that `setup` may return, by which the host updates the running plugin. */
export interface PluginHandle<Config> {
  /** Takes a changed configuration in place and returns true; the plugin restarts otherwise. */
  update?(next: Config, previous: Config): boolean
}

/** A unit of capability. */
export interface Plugin<C extends Claims | undefined = Claims | undefined, N extends Needs = Needs> {
  /** Short name, as YAML, lists and paths use it. */
  readonly name: string
  readonly description?: string
  /** The description in further languages, by their tag: `{ 'zh-CN': '…' }`. */
  readonly descriptions?: Readonly<Record<string, string>>
  /**
   * The descriptions of options in further languages, by the tag of the language and the path of the option, as in
   * `{ 'zh-CN': { 'http.port': '…' } }`. Options of items of a list are below `path[]`, those of values of a map below
   * `path.<name>`.
   */
  readonly optionDescriptions?: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly version?: string
  readonly config?: C
  /** Schemas of items in lists of other plugins. */
  readonly items?: readonly ItemSchema[]
  readonly needs?: N
  readonly provides?: readonly Service<unknown>[]
  /** Time that `setup` may take, in milliseconds; default 60,000. */
  readonly setupTimeout?: number
  setup?(ctx: Context<ConfigOf<C>, N>): Awaitable<PluginHandle<ConfigOf<C>> | void>
}

type Schemas = Readonly<Record<string, TSchema>>

/** The claims of a definition: one path, several, or none. */
type Claimed<S extends TSchema, K extends Schemas> = [S] extends [never]
  ? [K] extends [never]
    ? undefined
    : ManyClaims<K>
  : SingleClaim<S>

/**
 * Claims as {@link definePlugin} takes them. The first part infers the schemas of both forms before the parameter of
 * `check` is typed by them. The second part demands one of the two forms.
 */
type ClaimsInput<S extends TSchema, K extends Schemas> = {
  readonly key?: string
  readonly schema?: S
  readonly keys?: K
  readonly fatal?: true
  check?(config: ConfigOf<Claimed<S, K>>): readonly Mistake[]
  warn?(config: ConfigOf<Claimed<S, K>>): readonly Mistake[]
} & ([S] extends [never] ? { readonly keys: K } : { readonly key: string; readonly schema: S })

/** A plugin as {@link definePlugin} takes it. */
interface Definition<S extends TSchema, K extends Schemas, N extends Needs> extends Omit<
  Plugin<Claimed<S, K>, N>,
  'config'
> {
  readonly config?: ClaimsInput<S, K>
}

/** A plugin of any type, for lists of plugins. */
export interface AnyPlugin extends Omit<Plugin, 'config' | 'needs' | 'setup'> {
  readonly config?: Claims | undefined
  readonly needs?: Needs | undefined
  setup?(ctx: never): unknown
}

const NAME = /^(@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*$/i
const RESERVED = new Set([
  'name',
  'config',
  'log',
  'signal',
  'clock',
  'provide',
  'contribute',
  'read',
  'on',
  'hasListeners',
  'emit',
  'parallel',
  'bail',
  'waterfall',
  'onDispose',
  'keep',
  'resolve',
  'degrade',
])

/**
 * Defines a plugin. Export it as the module's default.
 *
 * @throws KernelError `plugin/bad-definition` naming the field that is wrong.
 * @example
 * export default definePlugin({ name: 'hello', setup(ctx) { ctx.log.info('hello') } })
 */
export function definePlugin<
  const S extends TSchema = never,
  const K extends Schemas = never,
  const N extends Needs = Record<never, never>,
>(definition: Definition<S, K, N>): Plugin<Claimed<NoInfer<S>, NoInfer<K>>, N> {
  assertPlugin(definition, 'definePlugin')
  return Object.freeze(definition) as unknown as Plugin<Claimed<NoInfer<S>, NoInfer<K>>, N>
}

/** @throws KernelError `plugin/bad-definition` unless `value` is a plugin */
export function assertPlugin(value: unknown, from: string): asserts value is AnyPlugin {
  const bad = (what: string): never => {
    throw new KernelError('plugin/bad-definition', `${from}: ${what}`)
  }
  if (typeof value !== 'object' || value === null) bad('no plugin definition (an object with a name and a setup)')
  const plugin = value as Plugin
  if (typeof plugin.name !== 'string' || !NAME.test(plugin.name))
    bad(`the name ${JSON.stringify(plugin.name)} is not a short name of letters, digits, "-", "_" and "."`)
  if (plugin.setup !== undefined && typeof plugin.setup !== 'function') bad(`${plugin.name}: setup must be a function`)
  assertServices(plugin, bad)
}

function assertServices({ name: plugin, needs = {}, provides = [] }: Plugin, bad: (what: string) => never): void {
  for (const [name, need] of Object.entries(needs)) {
    if (RESERVED.has(name)) bad(`${plugin}: a need may not be called "${name}", which the context has already`)
    if (!need || !['service', 'if-enabled', 'ref'].includes(need.kind))
      bad(`${plugin}: the need "${name}" must be a service, ifEnabled(service) or ref(service)`)
  }
  for (const service of provides) if (service?.kind !== 'service') bad(`${plugin}: provides must list services`)
}

/** Returns the configuration paths of a plugin with their schemas. */
export function claimsOf(plugin: AnyPlugin): { path: string; schema: TSchema }[] {
  const claims = plugin.config
  if (!claims) return []
  if ('keys' in claims) return Object.entries(claims.keys).map(([path, schema]) => ({ path, schema }))
  return [{ path: claims.key, schema: claims.schema }]
}
