// Loads TypeORM without the drivers of twenty systems and the tools of its command line: each is loaded when somebody asks for it.
// TypeORM requires them all at once, which costs a host some ten megabytes for code that never runs.
import { readdirSync } from 'node:fs'
import { createRequire, Module } from 'node:module'
import { dirname, join } from 'node:path'

const ALWAYS = new Set(['sqlite', 'sqlite-abstract', 'types'])
/** Packages that only tools and rarely used features of TypeORM need. */
const PACKAGES = ['glob', 'sha.js', 'uuid', 'dayjs', 'dotenv', 'debug', 'sql-highlight', '@sqltools/formatter', 'ansis']

const require = createRequire(import.meta.url)

/** Stands for a CommonJS module until one of its exports is used. */
function lazily(file: string, load: (file: string) => Record<string, unknown>): NodeJS.Module {
  const module = new Module(file)
  module.filename = file
  module.loaded = true
  // With `__esModule` compiled code keeps the object as it is, and looks into it only when it runs.
  module.exports = new Proxy(
    { __esModule: true },
    {
      get(target, name) {
        if (name === '__esModule') return target.__esModule
        const real = load(file)
        return name === 'default' ? (real.default ?? real) : real[name as string]
      },
    },
  )
  return module
}

function lazyFiles(typeorm: string): string[] {
  const drivers = join(dirname(typeorm), 'driver')
  const files = readdirSync(drivers, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !ALWAYS.has(entry.name))
    .flatMap(({ name }) =>
      readdirSync(join(drivers, name))
        .filter((file) => file.endsWith('Driver.js'))
        .map((file) => join(drivers, name, file)),
    )
  const from = createRequire(typeorm)
  return [...files, ...PACKAGES.map((name) => from.resolve(name))]
}

/** Loads it, unless somebody has. Within this call only are other modules in the place of the real ones, so that nobody else meets them. */
export function loadTypeorm(): void {
  const typeorm = require.resolve('typeorm')
  if (require.cache[typeorm]) return
  const placed = lazyFiles(typeorm).filter((file) => !require.cache[file])
  for (const file of placed) require.cache[file] = lazily(file, (real) => require(real) as Record<string, unknown>)
  try {
    require('typeorm')
  } finally {
    for (const file of placed) delete require.cache[file]
  }
}
