import { readdirSync } from 'node:fs'
import { isSecretDirectory, isSecretName } from './policy/secrets.js'

/** Folders whose keys are examples, or that programs do not enter by themselves. */
const SKIPPED = new Set(['node_modules', '.git'])
/** Entries that are looked at in one folder and below it. */
const MAX_ENTRIES = 20_000

/** The files with credentials in a working directory, as they are now. It is looked at when that matters. */
export class SecretFiles {
  readonly #folder: string
  #found: readonly string[] | undefined
  #isWhole = true

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Absolute paths. Undefined where there is too much to look at. */
  get all(): readonly string[] | undefined {
    this.#found ??= this.#look()
    return this.#isWhole ? this.#found : undefined
  }

  #look(): readonly string[] {
    const found: string[] = []
    const folders = ['']
    let entries = 0
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      for (const { name, isFolder } of entriesOf(`${this.#folder}/${folder}`)) {
        if (++entries > MAX_ENTRIES) {
          this.#isWhole = false
          return found
        }
        const path = folder === '' ? name : `${folder}/${name}`
        if (!isFolder && (isSecretName(path) || isSecretDirectory(path, false))) found.push(`${this.#folder}/${path}`)
        if (isFolder && !SKIPPED.has(name)) folders.push(path)
      }
    }
    return found
  }
}

/** The entries of a folder. None for one that cannot be read: a command cannot read it either. */
function entriesOf(folder: string): readonly { readonly name: string; readonly isFolder: boolean }[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).map((entry) => ({
      name: entry.name,
      isFolder: entry.isDirectory(),
    }))
  } catch {
    return []
  }
}
