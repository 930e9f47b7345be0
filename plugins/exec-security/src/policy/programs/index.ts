// All tables: the one place where a program is looked up by name.
import { BUILDERS } from './builders.js'
import { COMPILERS } from './compilers.js'
import { DEVELOPMENT } from './development.js'
import { FILES } from './files.js'
import { NETWORK } from './network.js'
import { READONLY } from './readonly.js'
import { SERVICES } from './services.js'
import { WRAPPERS } from './wrappers.js'
import type { ProgramSpec } from './program-spec.js'

export type { Effect, ProgramSpec } from './program-spec.js'

const TABLES: ReadonlyMap<string, ProgramSpec> = new Map(
  Object.entries({
    ...FILES,
    ...NETWORK,
    ...DEVELOPMENT,
    ...BUILDERS,
    ...COMPILERS,
    ...SERVICES,
    ...READONLY,
    egrep: READONLY.grep,
    fgrep: READONLY.grep,
  } as Record<string, ProgramSpec>),
)

/** The table of a program, or undefined where none describes it. */
export const programSpec = (name: string): ProgramSpec | undefined => TABLES.get(name)

/** The table of a command that is looked through. */
export const wrapperSpec = (name: string): ProgramSpec | undefined =>
  Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined
