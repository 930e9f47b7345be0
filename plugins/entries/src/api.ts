import { point } from '@mynah/kernel'

/** A page or tool that a plugin adds to the console: one built module that exports `register(hostApi)`. */
export interface ConsoleEntrySource {
  readonly id: string
  /** File URL of the built module. All files in its folder are served. */
  readonly module: URL
  /** Position among entries; default 100. */
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
