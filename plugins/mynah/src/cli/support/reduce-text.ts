// Reduces texts, stacks and log lines to what a report may show.
import { realpathSync } from 'node:fs'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { LogRecord } from '@mynah/kernel'
import type { CodeTexts } from './code-texts.js'
import { packageOf, pluginNameOf, type InstalledPackage } from './packages.js'
import { filled, fixedLetters, valuesIn, type Template } from './template.js'

/** Stands for what is not shown. */
export const HIDDEN = '…'
/** Stands for a plugin that is no public package. */
export const OWN_PLUGIN = '(own plugin)'

const MAX_TEXT = 2_000
const MAX_DEPTH = 4
const MAX_FRAMES = 20
const SYSTEM_CODES = new Set([...Object.keys(constants.errno), 'ENOTFOUND', 'EAI_AGAIN', 'EPROTO'])
const SYSTEM_CALLS = new Set(['connect', 'listen', 'bind', 'getaddrinfo', 'read', 'write', 'open', 'spawn'])
const HTTP_STATUS = /^[1-5]\d\d$/
const FRAME = /^\s{1,20}at (?:[^(\n]{0,200}\()?((?:file:\/\/)?[^()\n]{1,1000}):(\d{1,7}):(\d{1,7})\)?$/

/** A line of the log in a report. */
export interface ReducedLine {
  readonly time: string
  readonly level: LogRecord['level']
  readonly plugin: string
  readonly message: string
  readonly code?: string
  /** Places in packages, the innermost first. */
  readonly stack?: readonly string[]
}

/** Reduces texts by the code of the packages of a host. */
export class Reducer {
  readonly #texts: CodeTexts
  readonly #packages: readonly InstalledPackage[]
  readonly #plugins: ReadonlySet<string>

  constructor(texts: CodeTexts, packages: readonly InstalledPackage[]) {
    this.#texts = texts
    this.#packages = packages
    this.#plugins = new Set(['host', 'supervisor', ...packages.map(({ name }) => pluginNameOf(name))])
  }

  /** Returns the name of a plugin where a public package has it. */
  plugin(name: string): string {
    return this.#plugins.has(name) ? name : OWN_PLUGIN
  }

  /** Returns a word of the code, such as the name of a state. */
  word(text: string): string {
    return this.#texts.words.has(text) ? text : HIDDEN
  }

  /** Returns a line of the log without what the code does not contain. */
  line({ time, level, name, message, fields }: LogRecord): ReducedLine {
    const { code, stack, error } = fields ?? {}
    const shown = this.text(message)
    const cause = typeof error === 'string' ? `: ${this.#value(error, 0)}` : ''
    const frames = typeof stack === 'string' ? this.#frames(stack) : []
    return {
      time: new Date(time).toISOString(),
      level,
      plugin: this.plugin(name),
      message: `${shown}${cause}`,
      ...(typeof code === 'string' ? { code: this.#code(code) } : {}),
      ...(frames.length > 0 ? { stack: frames } : {}),
    }
  }

  /** Returns a text of the code with its values reduced. */
  text(text: string): string {
    const given = text.slice(0, MAX_TEXT)
    return this.#fitted(given, this.#texts.messages, 0) ?? this.#value(given, 0)
  }

  #value(text: string, depth: number): string {
    if (text === '' || HTTP_STATUS.test(text) || this.#plugins.has(text)) return text
    if (depth >= MAX_DEPTH) return HIDDEN
    return systemError(text) ?? this.#fitted(text, this.#texts.errors, depth) ?? HIDDEN
  }

  /** Returns the template with the most fixed letters that a text was made from, with its values reduced. */
  #fitted(text: string, templates: readonly Template[], depth: number): string | undefined {
    let best: { readonly template: Template; readonly values: readonly string[]; readonly letters: number } | undefined
    for (const template of templates) {
      // Most templates do not even begin like the text.
      if (!text.startsWith(template[0] ?? '')) continue
      const values = valuesIn(text, template)
      const letters = values ? fixedLetters(template) : 0
      if (values && letters > (best?.letters ?? 0)) best = { template, values, letters }
    }
    return best
      ? filled(
          best.template,
          best.values.map((value) => this.#value(value, depth + 1)),
        )
      : undefined
  }

  #code(code: string): string {
    return SYSTEM_CODES.has(code) ? code : this.word(code)
  }

  /** Returns the places of a stack that are in packages. Names of functions are left out. */
  #frames(stack: string): string[] {
    return stack
      .split('\n')
      .flatMap((line) => {
        const [, path, row, column] = FRAME.exec(line) ?? []
        if (path === undefined) return []
        if (path.startsWith('node:')) return ['node']
        const real = realPath(path)
        if (real === undefined) return []
        const owner = packageOf(real, this.#packages)
        return [owner ? `${owner.name}/${owner.inside}:${row}:${column}` : OWN_PLUGIN]
      })
      .slice(0, MAX_FRAMES)
  }
}

/** Returns the code of an error of the system with its call, or undefined. */
function systemError(text: string): string | undefined {
  const [, first = '', second = ''] = /^(\w{1,32})(?:[: ] ?(\w{0,32}))?/.exec(text) ?? []
  const more = (shown: string): string => (shown.length < text.length ? `${shown} ${HIDDEN}` : shown)
  if (SYSTEM_CODES.has(first)) return more(first)
  return SYSTEM_CALLS.has(first) && SYSTEM_CODES.has(second) ? more(`${first} ${second}`) : undefined
}

/** A text that looks like a place may be anything, so only a file that is there counts. */
function realPath(place: string): string | undefined {
  try {
    return realpathSync(place.startsWith('file://') ? fileURLToPath(place) : place)
  } catch {
    return undefined
  }
}
