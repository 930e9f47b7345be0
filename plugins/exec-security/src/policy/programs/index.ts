// All tables: the one place where a program is looked up by name.
import { BUILDERS } from './builders.js'
import { COMPILERS } from './compilers.js'
import { DEVELOPMENT } from './development.js'
import { FILES } from './files.js'
import { NETWORK } from './network.js'
import { READONLY } from './readonly.js'
import { SERVICES } from './services.js'
import { WRAPPERS } from './wrappers.js'
import type { Table } from './table.js'

export type { Effect, Table } from './table.js'

const TABLES: ReadonlyMap<string, Table> = new Map(
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
  } as Record<string, Table>),
)

/** The table of a program, or undefined where none describes it. */
export const tableOf = (name: string): Table | undefined => TABLES.get(name)

/** The table of a command that is looked through. */
export const wrapperOf = (name: string): Table | undefined =>
  Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined
