/** The texts of files by their path. */
export type Files = Readonly<Record<string, string>>

/** Where a project gets its packages of Mynah. */
export interface Packages {
  /** Returns the version, range or file to write for a package. */
  range(name: string): string
  /** Returns the dependencies of `direct` packages that the manifest has to name too. */
  alsoNeeded(direct: readonly string[]): readonly string[]
}

/** Versions of the tools that projects are tested with. */
export const TOOLS = {
  '@types/node': '20.19.43',
  typescript: '7.0.2',
  vite: '8.3.8',
  mocha: '12.0.3',
  chai: '6.3.0',
} as const

export const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** Returns the dependencies of a manifest on packages of Mynah. */
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

/** The editor accepts what the host can load, which only removes types. */
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
