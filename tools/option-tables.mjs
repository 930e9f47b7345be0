// Writes the tables of options in the READMEs of plugins from their schemas; --check only compares.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root, workspaces } from './lib.mjs'

const BEGIN = '<!-- options:begin -->'
const END = '<!-- options:end -->'

const code = (value) => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``
const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

function range({ minimum, maximum, exclusiveMinimum }) {
  if (exclusiveMinimum !== undefined)
    return maximum === undefined ? `, above ${exclusiveMinimum}` : `, above ${exclusiveMinimum} up to ${maximum}`
  if (minimum !== undefined && maximum !== undefined) return `, ${minimum} to ${maximum}`
  if (minimum !== undefined) return `, at least ${minimum}`
  return maximum === undefined ? '' : `, at most ${maximum}`
}

export function typeOf(schema) {
  if (schema.enum) return schema.enum.map(code).join(' | ')
  if ('const' in schema) return code(schema.const)
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' or ')
  if (schema.type === 'array') return schema.items?.type === 'object' ? 'list' : `list of ${typeOf(schema.items ?? {})}`
  return `${schema.type ?? 'any'}${range(schema)}${schema.secret ? ', secret' : ''}`
}

/** Returns the schema of the values of a map if these have described options of their own. */
function namedValues({ properties, patternProperties = {} }) {
  const [value, ...more] = Object.values(patternProperties)
  const described = Object.values(value?.properties ?? {}).some(({ description }) => description)
  return !properties && described && more.length === 0 ? value : undefined
}

/** Returns the path and the schema that the keys of `schema` are below: its items, its named values, or itself. */
function container(path, schema) {
  if (schema.type === 'array') return [`${path}[]`, schema.items]
  const named = namedValues(schema)
  return named ? [`${path}.<name>`, named] : [path, schema]
}

function defaultOf(schema, required) {
  if (schema.type === 'object') return ''
  if ('default' in schema) return code(schema.default === '' ? '""' : schema.default)
  return required ? 'required' : ''
}

/** Returns a row for `schema` at `path`, and one for each of its keys. */
function rowsOf(path, schema, required) {
  const [base, inner] = container(path, schema)
  const children = Object.entries(inner?.properties ?? {}).flatMap(([key, child]) =>
    rowsOf(base ? `${base}.${key}` : key, child, inner.required?.includes(key)),
  )
  if (children.length && (!path || (!schema.description && schema.type === 'object'))) return children
  const fallback = defaultOf(schema, required)
  return [{ path, type: typeOf(schema), fallback, description: schema.description ?? '' }, ...children]
}

/** Returns the table of `sections`, each a path with its schema. The path is empty for keys of an endpoint. */
export function tableOf(sections) {
  const rows = sections.flatMap(({ path, schema }) => {
    const [own, ...inner] = rowsOf(path, schema, false)
    // A section with defaults for all its keys is no option itself.
    return inner.length && own.path === path && schema.type === 'object' ? inner : [own, ...inner]
  })
  const missing = rows.filter(({ description }) => !description).map(({ path }) => path)
  const lines = rows.map(({ path, type, fallback, description }) =>
    `| ${[code(path), type, fallback, description].map(cell).join(' | ')} |`.replaceAll('|  |', '| |'),
  )
  return { table: ['| option | type | default | description |', '|---|---|---|---|', ...lines].join('\n'), missing }
}

/** Returns the options of each plugin: its sections, or the keys of an endpoint for an adapter. */
export async function optionsOfPlugins() {
  const { claimsOf, createHost, definePlugin } = await import('@mynah/kernel')
  const { adapters } = await import('@mynah/plugin-chat/api')
  const found = new Map()
  for (const folder of workspaces().filter((name) => name.startsWith('plugins/') && name !== 'plugins/mynah')) {
    const { default: plugin } = await import(pathToFileURL(join(root, folder, 'dist/index.js')).href)
    const sections = claimsOf(plugin)
    if (folder.startsWith('plugins/adapter-')) {
      let contributed
      const reader = definePlugin({
        name: 'reader',
        setup: (ctx) => {
          contributed = ctx.read(adapters)
        },
      })
      // A plugin without its needs contributes nothing, so each need gets an empty service. Nothing calls these.
      const needed = Object.values(plugin.needs ?? {}).filter(({ kind }) => kind === 'service')
      const provider = definePlugin({
        name: 'provider',
        provides: needed,
        setup: (ctx) => {
          for (const token of needed) ctx.provide(token, {})
        },
      })
      const host = await createHost([{ plugin: reader }, { plugin: provider }, { plugin }], { log: () => {} }).start()
      for (const { value } of contributed.all()) if (value.schema) sections.push({ path: '', schema: value.schema })
      await host.stop()
    }
    if (sections.length) found.set(folder, sections)
  }
  return found
}

/** Updates the tables, or only compares them with `check`. Returns the differences, one line each. */
export async function optionTables({ check }) {
  const faults = []
  for (const [folder, sections] of await optionsOfPlugins()) {
    const file = join(root, folder, 'README.md')
    const { table, missing } = tableOf(sections)
    for (const path of missing) faults.push(`${folder}: the option ${path} has no description in its schema`)
    if (!existsSync(file)) continue
    const text = readFileSync(file, 'utf8')
    const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)]
    if (begin < 0 || end < begin) {
      faults.push(`${folder}/README.md: there is no place for its options: ${BEGIN} ${END}`)
      continue
    }
    const next = `${text.slice(0, begin + BEGIN.length)}\n${table}\n${text.slice(end)}`
    if (next === text) continue
    if (check) faults.push(`${folder}/README.md: its table of options is stale; run: node tools/option-tables.mjs`)
    else writeFileSync(file, next)
  }
  return faults
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const faults = await optionTables({ check: process.argv.includes('--check') })
  for (const line of faults) process.stderr.write(`${line}\n`)
  process.exitCode = faults.length ? 1 : 0
}
