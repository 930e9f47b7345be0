// Which forms of a request each model refuses, kept in the data of the host, so that it is asked without them.
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isRecord } from '@mynah/contract'
import { messageOf, type Logger } from '@mynah/kernel'
import { readDataFile } from '../data-file.js'

const MAX_BYTES = 1024 * 1024
/** The most models that are remembered; the oldest are forgotten. */
const MAX_MODELS = 1_000
const NONE: ReadonlySet<string> = new Set()

/** The forms that the models of one provider refuse. */
export interface ProviderForms {
  of(model: string): ReadonlySet<string>
  /**
   * Notes what a model has refused, after it has taken the request without it.
   *
   * @param words those of the refusal, without secrets
   */
  learn(model: string, forms: readonly string[], words: string): void
}

/** Where and how it remembers. */
interface RefusedFormsOptions {
  /** Without it nothing is kept over a start. */
  readonly file: string | undefined
  readonly log: Pick<Logger, 'info' | 'warn'> | undefined
}

/** The forms that models refuse, by provider and model. */
export class RefusedForms {
  readonly #options: RefusedFormsOptions
  readonly #known = new Map<string, ReadonlySet<string>>()
  #writing: Promise<void> = Promise.resolve()

  constructor(options: RefusedFormsOptions) {
    this.#options = options
  }

  async load(): Promise<void> {
    const { file, log } = this.#options
    if (file === undefined) return
    try {
      const text = await readDataFile(file, MAX_BYTES)
      const stored: unknown = text === undefined ? {} : JSON.parse(text)
      const refused = isRecord(stored) && isRecord(stored['refused']) ? stored['refused'] : {}
      for (const [key, forms] of Object.entries(refused))
        if (Array.isArray(forms)) this.#known.set(key, new Set(forms.filter((form) => typeof form === 'string')))
    } catch (error) {
      // They are learned again.
      log?.warn(`failed to read what models refuse: ${messageOf(error)}`)
    }
  }

  /**
   * Returns those of a provider.
   *
   * @param source digest of its address: at another one, other models have these names
   * @param omit forms that the configuration leaves out for all its models
   */
  ofProvider(alias: string, source: string, omit: readonly string[] = []): ProviderForms {
    const always: ReadonlySet<string> = omit.length > 0 ? new Set(omit) : NONE
    const keyOf = (model: string): string => `${alias}:${model} ${source}`
    return {
      of: (model) => {
        const learned = this.#known.get(keyOf(model))
        return learned && always.size > 0 ? new Set([...always, ...learned]) : (learned ?? always)
      },
      learn: (model, forms, words) => {
        const key = keyOf(model)
        const known = this.#known.get(key)
        const learned = forms.filter((form) => !known?.has(form))
        // Two requests at once learn the same.
        if (learned.length === 0) return
        this.#known.set(key, new Set([...(known ?? []), ...learned]))
        const [oldest] = this.#known.keys()
        if (this.#known.size > MAX_MODELS && oldest !== undefined) this.#known.delete(oldest)
        this.#options.log?.info(
          `${alias}:${model} refuses ${learned.join(', ')} and is asked without from now on${words ? `: ${words}` : ''}`,
        )
        this.#write()
      },
    }
  }

  /** Forgets what was learned, so that models are asked for everything again. */
  clear(): void {
    if (this.#known.size === 0) return
    this.#known.clear()
    this.#write()
  }

  /** Resolves when everything is stored. */
  close(): Promise<void> {
    return this.#writing
  }

  #write(): void {
    const { file, log } = this.#options
    if (file === undefined) return
    const refused = Object.fromEntries(Array.from(this.#known, ([key, forms]) => [key, [...forms]]))
    this.#writing = this.#writing
      .then(async () => {
        const { writeFileAtomically } = await import('@mynah/kernel/files')
        await mkdir(dirname(file), { recursive: true })
        await writeFileAtomically(file, `${JSON.stringify({ version: 1, refused }, undefined, 2)}\n`)
      })
      .catch((error: unknown) => log?.warn(`failed to store what models refuse: ${messageOf(error)}`))
  }
}
