// TypeORM requires the drivers of twenty systems and its command line tools at once, which costs a host about ten megabytes.
// Here each of them is loaded on first use.
import { readdirSync } from 'node:fs'
import { createRequire, Module } from 'node:module'
import { dirname, join } from 'node:path'

const ALWAYS = new Set(['sqlite', 'sqlite-abstract', 'types'])
/** Packages that only the tools and rarely used features of TypeORM need. */
const PACKAGES = ['glob', 'sha.js', 'uuid', 'dayjs', 'dotenv', 'debug', 'sql-highlight', '@sqltools/formatter', 'ansis']

const require = createRequire(import.meta.url)

/** Returns a placeholder that loads a CommonJS module when one of its exports is used. */
function lazyModule(file: string, load: (file: string) => Record<string, unknown>): NodeJS.Module {
  const module = new Module(file)
  module.filename = file
  module.loaded = true
  // With `__esModule` compiled code keeps the object and reads its properties only when it runs.
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

/** Loads TypeORM if it is not loaded yet. The placeholders are in the module cache only during this call. */
export function loadTypeorm(): void {
  const typeorm = require.resolve('typeorm')
  if (require.cache[typeorm]) return
  const placeholders = lazyFiles(typeorm).filter((file) => !require.cache[file])
  for (const file of placeholders)
    require.cache[file] = lazyModule(file, (real) => require(real) as Record<string, unknown>)
  try {
    require('typeorm')
  } finally {
    for (const file of placeholders) delete require.cache[file]
  }
}
