// Tells the operator of an existing host, once, which defaults have changed since its data were last used.
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { valueAt } from '@mynah/kernel/loader'
import { CHANGED_DEFAULTS, type ChangedDefault } from './changed-defaults.js'

const FILE = 'defaults.json'
/** What a host has in its folder before it has ever run. */
const NOT_DATA = new Set([FILE, 'control', 'http-token', 'backups'])

type Values = Readonly<Record<string, unknown>>

/** The changes of defaults that the data folder of a host has not seen yet. */
export class UpgradeNotice {
  readonly #data: string
  readonly #unseen: readonly ChangedDefault[]
  readonly #isNew: boolean

  private constructor(data: string, unseen: readonly ChangedDefault[], isNew: boolean) {
    this.#data = data
    this.#unseen = unseen
    this.#isNew = isNew
  }

  /** Reads what a folder has seen. Read it before the host writes to the folder. */
  static async of(data: string, changes = CHANGED_DEFAULTS): Promise<UpgradeNotice> {
    const names = await readdir(data).catch(() => [])
    const seen = await seenIn(data)
    const isNew = names.every((name) => NOT_DATA.has(name)) && seen === undefined
    return new UpgradeNotice(
      data,
      changes.filter(({ id }) => !seen?.has(id)),
      isNew,
    )
  }

  /** Returns a line for each unseen change that concerns a configuration. A new host has used no other default. */
  lines(values: Values): string[] {
    if (this.#isNew) return []
    return this.#unseen
      .filter((change) => concerns(change, values))
      .map(
        ({ since, plugin, change, keep }) =>
          `changed in ${since}: ${change} (${plugin}); to keep it as it was: ${keep}`,
      )
  }

  /** Remembers in the folder that all changes were told. Earlier releases ignore the file. */
  async remember(): Promise<void> {
    if (this.#unseen.length === 0) return
    const seen = [...((await seenIn(this.#data)) ?? []), ...this.#unseen.map(({ id }) => id)]
    const file = join(this.#data, FILE)
    await mkdir(this.#data, { recursive: true, mode: 0o700 })
    await writeFile(`${file}.tmp`, `${JSON.stringify({ seen }, null, 2)}\n`, { mode: 0o600, flush: true })
    await rename(`${file}.tmp`, file)
  }
}

async function seenIn(data: string): Promise<ReadonlySet<string> | undefined> {
  try {
    const { seen } = JSON.parse(await readFile(join(data, FILE), 'utf8')) as { readonly seen?: unknown }
    return new Set(Array.isArray(seen) ? seen.filter((id) => typeof id === 'string') : [])
  } catch {
    // Never written, or damaged: everything is told again.
    return undefined
  }
}

function concerns({ plugin, options }: ChangedDefault, values: Values): boolean {
  return isEnabled(plugin, values) && !options.some((option) => isSet(option.split('.'), values))
}

const nameOf = (item: unknown): unknown =>
  typeof item === 'string' ? item : (item as { readonly name?: unknown; readonly enabled?: unknown } | null)?.name

function isEnabled(plugin: string, values: Values): boolean {
  const plugins = valueAt(values, 'plugins')
  return (
    Array.isArray(plugins) &&
    plugins.some(
      (item: { readonly enabled?: unknown }) =>
        [plugin, `@mynah/plugin-${plugin}`].includes(nameOf(item) as string) && item.enabled !== false,
    )
  )
}

/** Whether an option has a value; with `*`, whether each entry of the section has one. */
function isSet([key, ...rest]: readonly string[], value: unknown): boolean {
  if (key === undefined) return value !== undefined
  // Of a section without entries nothing is missing.
  if (typeof value !== 'object' || value === null) return [key, ...rest].includes('*')
  if (key !== '*') return isSet(rest, (value as Values)[key])
  return Object.values(value).every((entry) => isSet(rest, entry))
}
