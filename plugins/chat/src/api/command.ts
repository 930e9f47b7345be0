import type { Content } from '@mynah/contract/types'
import type { Localized } from './languages.js'
import type { Message, Role } from './message.js'

interface ParamOptions<T> {
  readonly description?: Localized
  /** Value where the parameter is left out, which makes it optional. */
  readonly default?: T
  readonly optional?: true
  /** The letter of `-x`; for options only. */
  readonly short?: string
}

/** One argument or option. */
export interface Param<T = unknown> {
  readonly kind: 'string' | 'integer' | 'number' | 'boolean' | 'choice' | 'rest' | 'user'
  readonly description?: Localized
  readonly default?: unknown
  readonly optional: boolean
  readonly short?: string
  readonly choices?: readonly string[]
  readonly min?: number
  readonly max?: number
  readonly '~type'?: T
}

type Given<T, O> = O extends { readonly optional: true } ? T | undefined : T
type Bounds = { readonly min?: number; readonly max?: number }

function make<T, O extends ParamOptions<T>>(
  kind: Param['kind'],
  options: O & Partial<Param> = {} as O,
): Param<Given<T, O>> {
  return {
    ...options,
    kind,
    optional: options.optional === true || 'default' in options || kind === 'boolean',
  } as Param<Given<T, O>>
}

/** Builders of arguments and options. */
export const param = {
  /** One word, or several in quotes. */
  string: <const O extends ParamOptions<string>>(options?: O) => make<string, O>('string', options),
  integer: <const O extends ParamOptions<number> & Bounds>(options?: O) => make<number, O>('integer', options),
  number: <const O extends ParamOptions<number> & Bounds>(options?: O) => make<number, O>('number', options),
  /** A flag where it is an option. */
  boolean: <const O extends ParamOptions<boolean>>(options?: O) => make<boolean, O>('boolean', options),
  choice: <const C extends readonly string[], const O extends ParamOptions<C[number]>>(choices: C, options?: O) =>
    make<C[number], O>('choice', { ...options, choices } as unknown as O & Partial<Param>),
  /** The rest of the line as it was written. Only as the last argument. */
  rest: <const O extends ParamOptions<string>>(options?: O) => make<string, O>('rest', options),
  /** A mention or an id, read as the id. */
  user: <const O extends ParamOptions<string>>(options?: O) => make<string, O>('user', options),
} as const

/** Arguments or options of a command by name. */
export type Params = Readonly<Record<string, Param>>
/** The values of arguments by name, with their types. */
export type Values<P extends Params> = { readonly [K in keyof P]: P[K] extends Param<infer T> ? T : never }

/** The argument of a command's `run`. */
export interface CommandInput<A extends Params = Params, O extends Params = Params> {
  readonly args: Values<A>
  readonly options: Values<O>
  readonly message: Message
  /** Replies before the command ends. May be called several times. */
  reply(content: Content): Promise<unknown>
  prompt(question: Content, options?: { timeout?: number }): Promise<string | undefined>
}

/** A command of the bot. */
export interface Command {
  /** Words after the prefix. A space makes a sub-command, such as `note add`. */
  readonly name: string
  readonly description: Localized
  /** Other names, each with all words. */
  readonly aliases?: readonly string[]
  readonly args?: Params
  readonly options?: Params
  /** Roles of which the sender needs one. */
  readonly requiredAnyRole?: readonly Role[]
  /** Whether the command runs in private chats only. */
  readonly privateOnly?: true
  /** How many calls one user has in `seconds`. */
  readonly rateLimit?: { readonly count: number; readonly seconds: number }
  /** Seconds after which a run is reported as slow in log and trace; default `commands.slowAfter`. */
  readonly slowAfter?: number
  /** Whether a run that a kill interrupted is run again. For commands that may run twice without harm. */
  readonly repeatable?: boolean
  /** Whether the command is left out of the help. */
  readonly hidden?: true
  readonly examples?: readonly string[]
  readonly run: (input: never) => Content | void | Promise<Content | void>
}

/**
 * Defines a command. The result of `run` is sent as the answer.
 *
 * @example
 * defineCommand({
 *   name: 'roll', description: 'Rolls dice', args: { sides: param.integer({ default: 6, min: 2 }) },
 *   run: ({ args }) => `You rolled ${1 + Math.floor(Math.random() * args.sides)}`,
 * })
 */
export function defineCommand<
  const A extends Params = Record<never, never>,
  const O extends Params = Record<never, never>,
>(
  command: Omit<Command, 'run' | 'args' | 'options'> & {
    readonly args?: A
    readonly options?: O
    readonly run: (input: CommandInput<A, O>) => Content | void | Promise<Content | void>
  },
): Command {
  return Object.freeze(command) as unknown as Command
}
