// Checks the imports of all sources: which package may import which, and no circles of modules, lazy imports or types.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { filesIn, workspaces } from './lib.mjs'

const STATEMENT =
  /(?:^|[\n;}])\s*(import|export)\s+(type\s+)?(?:[\w*\s{},$]+?\s+from\s+)?['"]([^'"]+)['"]|\bimport\s*\(\s*['"]([^'"]+)['"]\s*\)/g
/** Modules that load fast. The `./api` of a plugin may load only these. */
const LIGHT =
  /^(node:|@mynah\/kernel(\/util)?$|@mynah\/contract(\/|$)|@mynah\/database-api$|@mynah\/plugin-[\w-]+\/api$)/

/** Strings (kept) and comments (removed): a string may contain the start of a comment. */
const STRING_OR_COMMENT = /('(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`)|\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm

/** Returns the imports of a file; those with `type` do not exist at run time. */
export function importsOf(text) {
  // The content of a template is text, such as a source file of a project template.
  const code = text.replace(STRING_OR_COMMENT, (_, string) => (string?.startsWith('`') ? '``' : (string ?? '')))
  return Array.from(code.matchAll(STATEMENT), ([, , type, from, dynamic]) => ({
    to: from ?? dynamic,
    type: type !== undefined,
    lazy: from === undefined,
  }))
}

/** Returns whether a file is a test, or the helper that a package offers to tests of others. */
export const isTest = (file) =>
  /(^|\/)test\//.test(file) || /\.test\.[mc]?[jt]sx?$/.test(file) || /^src\/testing\.ts$/.test(file)
export const isSource = (file) => /\.[mc]?[jt]sx?$/.test(file) && !/(^|\/)dist\//.test(file) && !file.endsWith('.d.ts')

const isOurs = (to) => to === 'mynah' || to.startsWith('mynah/') || to.startsWith('@mynah/')
/** Returns whether a page of the console may load a package. */
const isForBrowsers = (to) => /^@mynah\/(sdk|contract\/(types|wire)|console)(\/|$)/.test(to)

/** Returns why a file may not import another file of its workspace. */
function relativeRefusal(file, { to, type }) {
  const target = normalize(join(dirname(file), to))
  if (target.startsWith('..')) return 'leaves its package'
  const loadsPlugin = file.startsWith('client/') && !target.startsWith('client/') && !type
  return loadsPlugin ? 'loads the plugin into the browser; import types only' : undefined
}

function pluginRefusal(file, to) {
  if (file.startsWith('client/')) return isForBrowsers(to) ? undefined : 'knows more than the client library'
  const plugin = /^@mynah\/plugin-[\w-]+(\/.*)?$/.exec(to)
  if (plugin && plugin[1] !== '/api') return 'knows more of another plugin than its ./api'
  // A load test runs in a process of its own, as a client of a host.
  if (file.startsWith('src/cli/load/') && to === '@mynah/sdk') return undefined
  return /^@mynah\/(sdk|console)(\/|$)/.test(to) ? 'loads a client into the host' : undefined
}

/** Refusals by area: each function returns the reason, or undefined. */
const AREAS = {
  'create-mynah': () => 'imports something of ours',
  // A package may import itself by name, to get the published file.
  contract: (_file, to) => (to.startsWith('@mynah/contract/') ? undefined : 'imports something of ours'),
  kernel: (_file, to) => (to.startsWith('@mynah/kernel/') ? undefined : 'imports something of ours'),
  'database-api': (_file, to) =>
    /^@mynah\/(kernel(\/util)?|plugin-[\w-]+\/api)$/.test(to) ? undefined : 'needs more than tokens and types',
  sdk: (_file, to) => (/^@mynah\/contract(\/|$)/.test(to) ? undefined : 'knows more than the contract'),
  console: (_file, to) =>
    isForBrowsers(to) ? undefined : 'knows more than the client library and the types of the contract',
  plugins: pluginRefusal,
}

/** Returns why `file` of `workspace` may not import `to`, or undefined. */
function refusal(workspace, file, found) {
  if (found.to.startsWith('.')) return relativeRefusal(file, found)
  return isOurs(found.to) ? AREAS[workspace.split('/')[0]]?.(file, found.to) : undefined
}

/** Returns why a test may not import `to`. A test may use whole plugins and their test helpers, not their internals. */
function testRefusal(file, { to }) {
  if (to.startsWith('.') && normalize(join(dirname(file), to)).startsWith('..')) return 'leaves its package'
  return /^@mynah\/plugin-[\w-]+\/(?!(api|testing)$)/.test(to) ? 'knows the inside of another plugin' : undefined
}

/** Returns the source file of an import, or undefined for other packages. */
function targetOf(from, workspace, file, to) {
  const candidates = (path) => [path.replace(/\.js$/, '.ts'), path.replace(/\.js$/, '.tsx'), path, `${path}.ts`]
  if (to.startsWith('.'))
    return candidates(join(workspace, normalize(join(dirname(file), to)))).find((path) => existsSync(join(from, path)))
  const package_ = /^@mynah\/(plugin-)?([\w-]+)(?:\/([\w-]+))?$/.exec(to)
  if (!package_) return undefined
  const [, plugin, name, part = 'index'] = package_
  return candidates(`${plugin ? 'plugins/' : ''}${name}/src/${part}.js`).find((path) => existsSync(join(from, path)))
}

/** Returns all forbidden imports and circles below `from`, one line each. */
export function checkArrows(from) {
  const found = []
  const graph = new Map()
  for (const workspace of workspaces(from)) {
    for (const file of filesIn(join(from, workspace), isSource)) {
      const imports = importsOf(readFileSync(join(from, workspace, file), 'utf8'))
      const test = isTest(file)
      const eager = imports.filter(({ type, lazy }) => !type && !lazy)
      for (const entry of imports) {
        const why = test ? testRefusal(file, entry) : refusal(workspace, file, entry)
        if (why) found.push(`${workspace}/${file}: import of "${entry.to}" ${why}`)
      }
      if (test) continue
      const targetsOf = (some) =>
        some.map(({ to }) => targetOf(from, workspace, file, to)).filter((target) => target !== undefined)
      graph.set(`${workspace}/${file}`, {
        eager,
        targets: targetsOf(eager),
        later: targetsOf(imports.filter(({ lazy }) => lazy)),
        all: targetsOf(imports),
      })
    }
  }
  return [...found, ...heavyApis(graph), ...circles(graph)]
}

function heavyApis(graph) {
  const found = []
  for (const start of graph.keys()) {
    if (!/^plugins\/[\w-]+\/src\/api\.ts$/.test(start)) continue
    const own = dirname(start)
    const seen = new Set([start])
    for (const file of seen) {
      const { eager, targets } = graph.get(file)
      for (const { to } of eager)
        if (!to.startsWith('.') && !LIGHT.test(to)) found.push(`${file}: import of "${to}" makes ${start} heavy`)
      for (const target of targets) {
        if (target === `${own}/index.ts`) found.push(`${file}: import of "./index.js" makes ${start} load the plugin`)
        else if (target.startsWith(`${own}/`) && graph.has(target)) seen.add(target)
      }
    }
  }
  return found
}

function circles(graph) {
  const found = []
  const state = new Map()
  const visit = (file, path) => {
    state.set(file, 'open')
    for (const target of graph.get(file).all) {
      if (!graph.has(target)) continue
      if (state.get(target) === 'open') {
        const around = [...path.slice(path.indexOf(target)), target]
        found.push(circle(graph, around))
      }
      if (!state.has(target)) visit(target, [...path, target])
    }
    state.set(file, 'done')
  }
  for (const file of graph.keys()) if (!state.has(file)) visit(file, [file])
  return found
}

/** Describes a circle: of modules if all its imports load at once, else of types or lazy imports. */
function circle(graph, path) {
  const isEager = path.slice(1).every((target, index) => graph.get(path[index]).targets.includes(target))
  return `a circle${isEager ? '' : ' of types or later imports'}: ${path.join(' → ')}`
}
