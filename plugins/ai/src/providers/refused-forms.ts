// Which forms of a request each model refuses, kept in the data of the host, so that it is asked without them.
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isRecord } from '@mynah/contract'
import { messageOf, type Clock, type Logger } from '@mynah/kernel'
import { DAY_MS, MINUTE_MS } from '@mynah/kernel/util'
import { readDataFile } from '../data-file.js'

const MAX_BYTES = 1024 * 1024
/** The most models that are remembered; the oldest are forgotten. */
const MAX_MODELS = 1_000
const NONE: ReadonlySet<string> = new Set()
/** Pictures and files in messages. A single one may have been the reason, so that this is forgotten after some time. */
export const MEDIA = 'media'
/** A refused picture is a reason for a day, and a failure with a picture for some minutes. */
const MEDIA_MS = { refused: DAY_MS, failed: 10 * MINUTE_MS }
/** The time of a form that is refused for good. */
const FOR_GOOD = 0

/** The forms that the models of one provider refuse. */
export interface ProviderForms {
  of(model: string): ReadonlySet<string>
  /**
   * Notes what a model has refused, after it has taken the request without it.
   *
   * @param words those of the refusal, without secrets
   */
  learn(model: string, forms: readonly string[], words: string): void
  /**
   * Notes that a model takes no pictures and files, for some time.
   *
   * @param isFailure whether it failed with them, which may have had another reason
   */
  learnBlind(model: string, isFailure: boolean, words: string): void
}

/** Where and how it remembers. */
interface RefusedFormsOptions {
  /** Without it nothing is kept over a start. */
  readonly file: string | undefined
  readonly clock: Pick<Clock, 'now'>
  readonly log: Pick<Logger, 'info' | 'warn'> | undefined
}

/** The forms that models refuse, by provider and model. */
export class RefusedForms {
  readonly #options: RefusedFormsOptions
  /** By model, and within by form, until when it is refused, in milliseconds since the epoch. */
  readonly #known = new Map<string, ReadonlyMap<string, number>>()
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
        if (isRecord(forms)) this.#known.set(key, new Map(Object.entries(forms).filter(isTimed)))
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
        return learned ? new Set([...always, ...this.#valid(learned)]) : always
      },
      learn: (model, forms, words) => {
        // Two requests at once learn the same.
        const learned = this.#add(keyOf(model), forms, FOR_GOOD)
        if (learned.length === 0) return
        this.#options.log?.info(
          `${alias}:${model} refuses ${learned.join(', ')} and is asked without from now on${words ? `: ${words}` : ''}`,
        )
      },
      learnBlind: (model, isFailure, words) => {
        const ms = MEDIA_MS[isFailure ? 'failed' : 'refused']
        if (this.#add(keyOf(model), [MEDIA], this.#options.clock.now() + ms).length === 0) return
        this.#options.log?.info(
          `${alias}:${model} takes no pictures and files, and is asked without them for ` +
            `${isFailure ? '10 minutes' : 'a day'}${words ? `: ${words}` : ''}`,
        )
      },
    }
  }

  #valid(forms: ReadonlyMap<string, number>): string[] {
    const now = this.#options.clock.now()
    return Array.from(forms).flatMap(([form, until]) => (until === FOR_GOOD || until > now ? [form] : []))
  }

  /** Returns the forms that were not known. */
  #add(key: string, forms: readonly string[], until: number): readonly string[] {
    const known = this.#known.get(key) ?? new Map<string, number>()
    const valid = this.#valid(known)
    const learned = forms.filter((form) => !valid.includes(form))
    if (learned.length === 0) return learned
    this.#known.set(key, new Map([...known, ...learned.map((form) => [form, until] as const)]))
    const [oldest] = this.#known.keys()
    if (this.#known.size > MAX_MODELS && oldest !== undefined) this.#known.delete(oldest)
    this.#write()
    return learned
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
    const refused = Object.fromEntries(Array.from(this.#known, ([key, forms]) => [key, Object.fromEntries(forms)]))
    this.#writing = this.#writing
      .then(async () => {
        const { writeFileAtomically } = await import('@mynah/kernel/files')
        await mkdir(dirname(file), { recursive: true })
        await writeFileAtomically(file, `${JSON.stringify({ version: 1, refused }, undefined, 2)}\n`)
      })
      .catch((error: unknown) => log?.warn(`failed to store what models refuse: ${messageOf(error)}`))
  }
}

const isTimed = (entry: [string, unknown]): entry is [string, number] => typeof entry[1] === 'number'
