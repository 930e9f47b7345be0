// What a plugin is: a name, a configuration, what it needs and provides, and a setup.
import type { Static, TSchema } from 'typebox'
import { KernelError } from '../base/errors.js'
import type { Needs, Service } from '../base/token.js'
import type { Context } from './context.js'

/** One mistake in a configuration: the full key path and what was expected there. */
export interface Mistake {
  readonly path: string
  readonly message: string
  /** It ends the start of the host instead of failing its plugin. */
  readonly fatal?: true
}

/** One configuration path with its JSON Schema (2020-12). */
export interface SingleClaim<S extends TSchema = TSchema> {
  readonly key: string
  readonly schema: S
  /** An invalid section ends the start of the host instead of failing this plugin. */
  readonly fatal?: true
  /** What a schema cannot say; asked where the schema is content, with defaults filled in. */
  check?(config: Static<S>): readonly Mistake[]
}
/** Several configuration paths, each with its schema; `ctx.config` is keyed by path. */
export interface ManyClaims<K extends Readonly<Record<string, TSchema>> = Readonly<Record<string, TSchema>>> {
  readonly keys: K
  readonly fatal?: true
  /** As of one path; the sections are keyed by path. */
  check?(config: { readonly [P in keyof K]: Static<K[P]> }): readonly Mistake[]
}
export type Claims = SingleClaim | ManyClaims

/** The type of `ctx.config` that follows from the claims. */
export type ConfigOf<C> =
  C extends SingleClaim<infer S>
    ? Static<S>
    : C extends ManyClaims<infer K>
      ? { readonly [P in keyof K]: Static<K[P]> }
      : undefined

/** What `setup` may return. */
export interface PluginHandle<Config> {
  /** Takes a changed configuration in place when it returns true; otherwise the plugin restarts. */
  update?(next: Config, previous: Config): boolean
}

type Awaitable<T> = T | Promise<T>

/** A unit of capability. */
export interface Plugin<C extends Claims | undefined = Claims | undefined, N extends Needs = Needs> {
  /** Short name: in YAML, in every list and path. */
  readonly name: string
  readonly description?: string
  /** The description in further languages, by their tag: `{ 'zh-CN': '…' }`. */
  readonly descriptions?: Readonly<Record<string, string>>
  readonly version?: string
  readonly config?: C
  readonly needs?: N
  readonly provides?: readonly Service<unknown>[]
  /** Time that `setup` may take, ms; default 60,000. */
  readonly setupTimeout?: number
  setup?(ctx: Context<ConfigOf<C>, N>): Awaitable<PluginHandle<ConfigOf<C>> | void>
}

type Schemas = Readonly<Record<string, TSchema>>

/** The form of claims that a definition has: of one path, of several, or none. */
type Claimed<S extends TSchema, K extends Schemas> = [S] extends [never]
  ? [K] extends [never]
    ? undefined
    : ManyClaims<K>
  : SingleClaim<S>

/**
 * Claims as {@link definePlugin} takes them: one form for both, from which the schemas are inferred before the parameter of
 * `check` is typed by them; and beside it the form that they must have.
 */
type Claiming<S extends TSchema, K extends Schemas> = {
  readonly key?: string
  readonly schema?: S
  readonly keys?: K
  readonly fatal?: true
  check?(config: ConfigOf<Claimed<S, K>>): readonly Mistake[]
} & ([S] extends [never] ? { readonly keys: K } : { readonly key: string; readonly schema: S })

/** A plugin as {@link definePlugin} takes it. */
interface Definition<S extends TSchema, K extends Schemas, N extends Needs> extends Omit<
  Plugin<Claimed<S, K>, N>,
  'config'
> {
  readonly config?: Claiming<S, K>
}

/** A plugin whose types are no longer of interest, as lists of them hold it. */
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
 * Defines a plugin; export it as the module's default.
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

/** Throws `plugin/bad-definition` where `value` is no plugin. */
export function assertPlugin(value: unknown, from: string): asserts value is AnyPlugin {
  const bad = (what: string): never => {
    throw new KernelError('plugin/bad-definition', `${from}: ${what}`)
  }
  if (typeof value !== 'object' || value === null) bad('no plugin definition (an object with a name and a setup)')
  const plugin = value as Plugin
  if (typeof plugin.name !== 'string' || !NAME.test(plugin.name))
    bad(`the name ${JSON.stringify(plugin.name)} is not a short name of letters, digits, "-", "_" and "."`)
  if (plugin.setup !== undefined && typeof plugin.setup !== 'function') bad(`${plugin.name}: setup must be a function`)
  for (const [name, need] of Object.entries(plugin.needs ?? {})) {
    if (RESERVED.has(name)) bad(`${plugin.name}: a need may not be called "${name}", which the context has already`)
    if (!need || !['service', 'if-enabled', 'ref'].includes(need.kind))
      bad(`${plugin.name}: the need "${name}" must be a service, ifEnabled(service) or ref(service)`)
  }
  for (const service of plugin.provides ?? [])
    if (service?.kind !== 'service') bad(`${plugin.name}: provides must list services`)
}

/** The configuration paths of a plugin with their schemas. */
export function claimsOf(plugin: AnyPlugin): { path: string; schema: TSchema }[] {
  const claims = plugin.config
  if (!claims) return []
  if ('keys' in claims) return Object.entries(claims.keys).map(([path, schema]) => ({ path, schema }))
  return [{ path: claims.key, schema: claims.schema }]
}
