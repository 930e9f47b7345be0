import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, sep } from 'node:path'
import { packageFolder } from '../modules/generation-hooks.js'
import { pathToFileURL, fileURLToPath } from 'node:url'

const PAGE_CONFIGS = ['js', 'mjs', 'ts', 'mts'].map((ending) => `vite.config.${ending}`)

/** The sources of a page of the console. */
export interface PageProject {
  readonly folder: string
  readonly configFile: string
  /** Address of the module of Vite that the project has. */
  readonly vite: string
}

/** A folder with a tsconfig.json. */
export interface TypeProject {
  readonly folder: string
  /** Path of the compiler that the project has. */
  readonly compiler: string
}

/** The projects that `mynah dev` checks and builds. */
export interface AuthorProject {
  /** Those of the plugin come before that of its page, which may import its declarations. */
  readonly types: readonly TypeProject[]
  readonly pages: readonly PageProject[]
}

/**
 * Finds the projects of a host and of its own plugins: their packages with a tsconfig.json, and those with a page in
 * `client`. A tool that a project has not installed is not run.
 *
 * @param modules paths of the own plugins
 */
export function authorProject(root: string, modules: readonly string[]): AuthorProject {
  const packages = modules.map((module) => fileURLToPath(packageFolder(pathToFileURL(module).href)))
  const folders = new Set([root, ...packages.map((folder) => folder.replace(/[\\/]$/, ''))])
  const types: TypeProject[] = []
  const pages: PageProject[] = []
  for (const folder of folders) {
    // The folder of a repository above has other projects too.
    if (folder !== root && root.startsWith(folder + sep)) continue
    if (!existsSync(join(folder, 'package.json'))) continue
    const client = join(folder, 'client')
    const compiler = compilerOf(folder)
    const page = pageIn(client)
    for (const project of page ? [folder, client] : [folder])
      if (compiler !== undefined && existsSync(join(project, 'tsconfig.json')))
        types.push({ folder: project, compiler })
    if (page) pages.push(page)
  }
  return { types, pages }
}

function compilerOf(folder: string): string | undefined {
  const manifest = resolved('typescript/package.json', folder)
  if (manifest === undefined) return undefined
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly bin?: { readonly tsc?: string } }
  return bin?.tsc === undefined ? undefined : join(dirname(manifest), bin.tsc)
}

function pageIn(folder: string): PageProject | undefined {
  const configFile = PAGE_CONFIGS.map((name) => join(folder, name)).find((file) => existsSync(file))
  const vite = configFile === undefined ? undefined : resolved('vite', folder)
  if (configFile === undefined || vite === undefined) return undefined
  return { folder, configFile, vite: pathToFileURL(vite).href }
}

function resolved(specifier: string, folder: string): string | undefined {
  try {
    return createRequire(join(folder, 'index.js')).resolve(specifier)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
}
