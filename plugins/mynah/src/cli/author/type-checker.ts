import { spawn, type ChildProcess } from 'node:child_process'
import { join, resolve, sep } from 'node:path'
import type { DevFailure } from '@mynah/contract'
import { messageOf } from '@mynah/kernel'
import { relativePath } from '../modules/code-location.js'
import type { TypeProject } from './author-project.js'
import { endGroup, OWN_GROUP } from './child-group.js'

const MISTAKE = /^(.{1,500}?)\((\d{1,9}),(\d{1,9})\): error (.{1,2000})$/
const GENERAL_MISTAKE = /^error (.{1,2000})$/
const MOST_OUTPUT = 1_000_000
const MOST_FAILURES = 1_000

interface Output {
  readonly code: number | null
  readonly text: string
}

interface Emitted {
  readonly flags: readonly string[]
  /** Folder of the compiled files, where there are any. */
  readonly outDir?: string
  /** Whether a plugin is loaded from it. */
  readonly isLoaded?: boolean
}

export interface TypeCheckerOptions {
  readonly root: string
  /** Paths of the own plugins. */
  readonly modules: readonly string[]
  readonly onStart: () => void
  readonly onResult: (failures: readonly DevFailure[]) => void
}

/**
 * Runs the compiler of the projects after each change, in a child process. It writes the files from which a plugin is
 * loaded, or the declarations that a page imports, and otherwise only checks.
 */
export class TypeChecker {
  readonly #projects: readonly TypeProject[]
  readonly #options: TypeCheckerOptions
  #emitted: readonly Emitted[] | undefined
  #child: ChildProcess | undefined
  #runs = 0
  #isClosed = false

  constructor(projects: readonly TypeProject[], options: TypeCheckerOptions) {
    this.#projects = projects
    this.#options = options
  }

  /** Returns whether a file is written by the compiler, and no plugin is loaded from its folder. */
  isByProduct(file: string): boolean {
    return (this.#emitted ?? []).some(
      ({ outDir, isLoaded }) => outDir !== undefined && isLoaded !== true && file.startsWith(outDir + sep),
    )
  }

  /** Returns whether a file is the source of a compiled plugin, which changes when the compiler has run. */
  isCompiled(file: string): boolean {
    return this.#projects.some(({ folder }, index) => {
      const { outDir, isLoaded } = this.#emitted?.[index] ?? {}
      const isSource = /\.[cm]?tsx?$/.test(file) && file.startsWith(folder + sep) && !file.startsWith(outDir + sep)
      return isLoaded === true && isSource && !this.#options.modules.includes(file)
    })
  }

  /** Finds out what the compiler writes. */
  async prepare(): Promise<void> {
    this.#emitted = await Promise.all(this.#projects.map((project) => this.#emittedOf(project)))
  }

  /** Checks the code as it is now. A check under way is ended, because its result would be old. */
  check(): void {
    if (this.#isClosed) return
    const run = ++this.#runs
    this.#options.onStart()
    const running = this.#child
    const ended = running ? endGroup(running) : Promise.resolve()
    void ended.then(() => this.#check(run)).catch((error: unknown) => this.#report(run, [general(messageOf(error))]))
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#runs++
    if (this.#child) await endGroup(this.#child)
  }

  async #check(run: number): Promise<void> {
    if (!this.#emitted) await this.prepare()
    const failures: DevFailure[] = []
    for (const [index, project] of this.#projects.entries()) {
      if (run !== this.#runs) return
      const flags = this.#emitted?.[index]?.flags ?? []
      const output = await this.#compile(project, ['--pretty', 'false', ...flags])
      failures.push(...failuresIn(output, project.folder, this.#options.root))
    }
    this.#report(run, failures)
  }

  #report(run: number, failures: readonly DevFailure[]): void {
    if (run === this.#runs) this.#options.onResult(failures.slice(0, MOST_FAILURES))
  }

  async #emittedOf(project: TypeProject): Promise<Emitted> {
    const { code, text } = await this.#compile(project, ['--showConfig'], false)
    // An invalid file is reported by the check.
    if (code !== 0) return { flags: ['--noEmit'] }
    const { compilerOptions = {} } = JSON.parse(text) as {
      readonly compilerOptions?: Readonly<Record<string, unknown>>
    }
    const { outDir, declaration, composite, noEmit } = compilerOptions
    if (noEmit === true || typeof outDir !== 'string') return { flags: ['--noEmit'] }
    const folder = resolve(project.folder, outDir)
    const isLoaded = this.#options.modules.some((module) => module.startsWith(folder + sep))
    const needsTypes = this.#projects.some((page) => page.folder === join(project.folder, 'client'))
    if (isLoaded) return { flags: [], outDir: folder, isLoaded }
    if (needsTypes && (declaration === true || composite === true))
      return { flags: ['--emitDeclarationOnly'], outDir: folder }
    return { flags: ['--noEmit'], outDir: folder }
  }

  #compile({ folder, compiler }: TypeProject, flags: readonly string[], isRun = true): Promise<Output> {
    return new Promise((done, fail) => {
      const child = spawn(process.execPath, [compiler, '-p', 'tsconfig.json', ...flags], {
        cwd: folder,
        stdio: ['ignore', 'pipe', 'ignore'],
        ...OWN_GROUP,
      })
      if (isRun) this.#child = child
      let text = ''
      child.stdout.setEncoding('utf8').on('data', (part: string) => {
        if (text.length < MOST_OUTPUT) text += part
      })
      child.once('error', fail)
      child.once('close', (code) => {
        if (this.#child === child) this.#child = undefined
        done({ code, text })
      })
    })
  }
}

const general = (message: string): DevFailure => ({ part: 'types', message, at: Date.now() })

/** Returns the mistakes that the compiler has printed. */
function failuresIn({ code, text }: Output, folder: string, root: string): DevFailure[] {
  const found = text.split('\n').flatMap((line): DevFailure[] => {
    const [, file, row, column, message] = MISTAKE.exec(line.trimEnd()) ?? []
    if (file !== undefined && message !== undefined) {
      const location = { file: relativePath(resolve(folder, file), root), line: Number(row), column: Number(column) }
      return [{ ...general(message), location }]
    }
    const [, mistake] = GENERAL_MISTAKE.exec(line.trimEnd()) ?? []
    return mistake === undefined ? [] : [general(mistake)]
  })
  if (found.length || code === 0 || code === null) return found
  return [general(text.trim().split('\n', 1)[0] || `the compiler ended with exit code ${code}`)]
}
