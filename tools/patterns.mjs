// Finds every regular expression of the repository: literals, `new RegExp` of constant text, and patterns of schemas.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'acorn'
import { root, workspaces } from './lib.mjs'

/** Returns the folders with compiled sources. */
const folders = () => [
  ...workspaces().flatMap((workspace) => [`${workspace}/dist`, `${workspace}/server`]),
  ...workspaces().filter((name) => name.startsWith('examples/')),
]
/** Excludes built pages: they contain libraries, and run in the browser of their user. */
const isSource = (file) =>
  /\.m?js$/.test(file) && !/\.test\.m?js$|\/test(?:ing)?\/|\/dist\/assets\/|\/client\/dist\/|node_modules/.test(file)

function* filesIn(folder) {
  if (!existsSync(join(root, folder))) return
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const file = `${folder}/${entry.name}`
    if (entry.isDirectory() && entry.name !== 'node_modules') yield* filesIn(file)
    else if (entry.isFile() && isSource(file)) yield file
  }
}

/** Calls `visit` for each node of a syntax tree. */
function walk(node, visit) {
  if (Array.isArray(node)) for (const inner of node) walk(inner, visit)
  else if (node && typeof node.type === 'string') {
    visit(node)
    for (const [key, inner] of Object.entries(node)) if (key !== 'type' && typeof inner === 'object') walk(inner, visit)
  }
}

function textOf(node) {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value
  return node?.type === 'TemplateLiteral' && node.expressions.length === 0 ? node.quasis[0].value.cooked : undefined
}

/** Returns every pattern with its flags and its files. */
export function patterns() {
  const found = new Map()
  const add = (source, flags, file) => {
    if (source === undefined) return
    const key = `/${source}/${flags}`
    const known = found.get(key) ?? { source, flags, files: new Set() }
    known.files.add(file)
    found.set(key, known)
  }
  for (const file of new Set(folders().flatMap((folder) => [...filesIn(folder)]))) {
    const tree = parse(readFileSync(join(root, file), 'utf8'), {
      ecmaVersion: 'latest',
      sourceType: 'module',
      allowHashBang: true,
    })
    walk(tree, (node) => {
      if (node.type === 'Literal' && node.regex) add(node.regex.pattern, node.regex.flags, file)
      else if ((node.type === 'NewExpression' || node.type === 'CallExpression') && node.callee.name === 'RegExp')
        add(textOf(node.arguments[0]), textOf(node.arguments[1]) ?? '', file)
      else if (node.type === 'Property' && !node.computed && (node.key.name ?? node.key.value) === 'pattern')
        add(textOf(node.value), 'u', file)
    })
  }
  return [...found.values()]
}
