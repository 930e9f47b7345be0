import { basename, resolve, sep } from 'node:path'
import type { DevFailure, DevStatus } from '@mynah/contract'
import type { ReloadedPlugin } from '../modules/code-reloader.js'
import type { Logger } from '../supervisor-log.js'
import { authorProject } from './author-project.js'
import { AuthorState, failureLine, type CheckedPart } from './author-state.js'
import { PageBuilder } from './page-builder.js'
import { TypeChecker } from './type-checker.js'

/** Failures of one check that the terminal shows. */
const MOST_SHOWN = 10

/** A host that has started. */
export interface AuthoredHost {
  /** Paths of the own plugins, which are not installed packages. */
  readonly modules: readonly string[]
  readonly failures: readonly DevFailure[]
}

/**
 * Checks the types and builds the pages of the own plugins of a running host, and keeps failures until they are fixed.
 */
export class AuthorLoop {
  readonly #root: string
  readonly #log: Logger
  readonly #state: AuthorState
  #projects = ''
  #types: TypeChecker | undefined
  #pages: PageBuilder | undefined
  #pageFolders: readonly string[] = []
  #waiting: (() => void)[] = []

  /**
   * @param root folder of the host
   * @param send called with each new status
   */
  constructor(root: string, log: Logger, send: (status: DevStatus) => void) {
    this.#root = resolve(root)
    this.#log = log
    this.#state = new AuthorState(() => {
      send(this.status)
      if (this.#state.checkOf('page') !== 'running') for (const go of this.#waiting.splice(0)) go()
    })
  }

  get status(): DevStatus {
    return this.#state.status
  }

  /** Looks for projects of the plugins of a host that has started, and checks those that it has not seen. */
  async started({ modules, failures }: AuthoredHost): Promise<void> {
    this.#state.startedWith(failures)
    const { types, pages } = authorProject(this.#root, modules)
    const projects = JSON.stringify([types, pages, modules])
    if (projects === this.#projects) return
    this.#projects = projects
    await this.close()
    this.#pageFolders = pages.map(({ folder }) => folder)
    this.#types = types.length
      ? new TypeChecker(types, { root: this.#root, modules, ...this.#reporting('types') })
      : undefined
    if (!this.#types) this.#state.off('types')
    this.#types?.check()
    if (!pages.length) this.#state.off('page')
    this.#pages = new PageBuilder(pages, { root: this.#root, ...this.#reporting('page') })
  }

  /** Resolves when the pages were built, or could not be. */
  pageSettled(): Promise<void> {
    if (this.#state.checkOf('page') !== 'running') return Promise.resolve()
    return new Promise((done) => this.#waiting.push(done))
  }

  /** Checks changed files. Returns those that the host has to load. */
  changed(files: readonly string[]): readonly string[] {
    if (files.some(isChecked)) this.#types?.check()
    this.#pages?.changed(files)
    return files.filter((file) => this.#concernsHost(file))
  }

  /** Notes which plugins have their new code. */
  reloaded(plugins: readonly ReloadedPlugin[]): void {
    for (const { plugin, accepted, message = '', location } of plugins) {
      const failure = { part: 'code', plugin, message, at: Date.now(), ...(location ? { location } : {}) } as const
      this.#state.loaded(plugin, accepted ? undefined : failure)
    }
    const names = new Set(plugins.map(({ plugin }) => plugin))
    const rest = this.status.failures.filter(({ part, plugin }) => part === 'page' || (plugin && !names.has(plugin)))
    for (const failure of rest) this.#log.warn(`not fixed yet: ${failureLine(failure)}`)
  }

  async close(): Promise<void> {
    await Promise.all([this.#types?.close(), this.#pages?.close()])
  }

  #concernsHost(file: string): boolean {
    if (basename(file) === 'tsconfig.json' || /\.tsx$|\.test\.[cm]?[jt]sx?$/.test(file)) return false
    if (this.#pageFolders.some((folder) => file.startsWith(folder + sep))) return false
    return !this.#types?.isByProduct(file) && !this.#types?.isCompiled(file)
  }

  #reporting(part: CheckedPart): { onStart: () => void; onResult: (failures: readonly DevFailure[]) => void } {
    let hadFailures = false
    return {
      onStart: () => this.#state.running(part),
      onResult: (failures) => {
        for (const failure of failures.slice(0, MOST_SHOWN)) this.#log.error(`${part}: ${failureLine(failure)}`)
        if (failures.length > MOST_SHOWN) this.#log.error(`${part}: ${failures.length - MOST_SHOWN} more mistakes`)
        if (!failures.length && hadFailures) this.#log.info(`${part}: no mistakes any more`)
        hadFailures = failures.length > 0
        this.#state.checked(part, failures)
      },
    }
  }
}

/** Returns whether a file is a source. The output of compilers and bundlers is JavaScript. */
const isChecked = (file: string): boolean =>
  /\.[cm]?tsx?$/.test(file) || ['tsconfig.json', 'package.json'].includes(basename(file))
