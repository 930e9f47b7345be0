// What other plugins may know of console entries: how to add one.
import { point } from '@mynah/kernel'

/** A page or tool that a plugin adds to the console: one built module that exports `register(hostApi)`. */
export interface ConsoleEntrySource {
  readonly id: string
  /** File URL of the built module; everything in its folder is served beside it. */
  readonly module: URL
  /** Place among entries; default 100. */
  readonly order?: number
  /** Listed but not loaded when false. */
  readonly enabled?: boolean
  readonly name?: string
  readonly version?: string
}

/** All console entries of a host. */
export const consoleEntries = point<ConsoleEntrySource>({
  id: 'console.entries',
  key: (entry) => entry.id,
  describe: (entry) => ({ name: entry.name ?? entry.id }),
})
