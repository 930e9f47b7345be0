// Changes built modules as they are loaded.
let patches = []

/**
 * Imports that a host makes while it runs. The process asks a thread for each of them where a loader is registered, and
 * a history would depend on how long that takes. They become imports of the module itself.
 */
const LATE = /\bimport\('([^']*(?:markdown-parser|agent-loop|2020)\.js|re2js|ajv-formats)'\)/g

export function initialize(given) {
  patches = given
}

/** @throws Error where a patch does not fit the module any more: the defect is not put back */
export async function load(url, context, next) {
  const loaded = await next(url, context)
  const own = patches.filter(({ file }) => url.endsWith(file))
  const source = String(loaded.source)
  const isLate = url.includes('/dist/') && source.search(LATE) >= 0
  if (own.length === 0 && !isLate) return loaded
  return { ...loaded, source: withoutLateImports(patched(source, own)) }
}

function patched(source, own) {
  for (const { file, from, to } of own) {
    if (source.split(from).length !== 2) throw new Error(`the patch of ${file} does not fit any more: ${from}`)
    source = source.replace(from, () => to)
  }
  return source
}

function withoutLateImports(source) {
  const early = []
  const rest = source.replace(LATE, (_, name) => {
    early.push(`import * as late${early.length} from '${name}'\n`)
    return `Promise.resolve(late${early.length - 1})`
  })
  return early.join('') + rest
}
