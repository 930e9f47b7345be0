// What all projects have in common.

/** Texts by the path that they are written to. */
export type Files = Readonly<Record<string, string>>

/** Where packages of Mynah come from. */
export interface Packages {
  /** The version, range or file to write for a package. */
  range(name: string): string
  /** Packages that `direct` ones need and that have to be named beside them. */
  alsoNeeded(direct: readonly string[]): readonly string[]
}

/** Versions of tools from outside that projects are tested with. */
export const TOOLS = {
  '@types/node': '20.19.43',
  typescript: '7.0.2',
  vite: '8.3.8',
  mocha: '12.0.3',
  chai: '6.3.0',
} as const

export const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** Entries of a manifest's dependencies on packages of Mynah. */
export const ours = (packages: Packages, names: readonly string[]): Record<string, string> =>
  Object.fromEntries([...names, ...packages.alsoNeeded(names)].sort().map((name) => [name, packages.range(name)]))

export const GITIGNORE = `node_modules/
dist/
data/
*.tgz
*.tsbuildinfo
.env
.env.*
`

/** Keeps the editor's view the same as the host's: types are taken out, nothing else. */
export const COMPILER_OPTIONS = {
  target: 'ES2022',
  lib: ['ES2023'],
  module: 'NodeNext',
  types: ['node'],
  strict: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
  skipLibCheck: true,
} as const
