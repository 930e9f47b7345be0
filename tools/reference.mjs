// Writes the reference of the documentation site: from the registry of a host with all plugins, and from declarations.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root, workspaces } from './lib.mjs'
import { optionsOfPlugins, tableOf, typeOf } from './option-tables.mjs'
import { DOCUMENTED, exportsOfFile, publicExports } from './public-exports.mjs'

const TOKEN = 'a-token-for-the-reference-only'
const CONFIG = (plugins) => `plugins: ${JSON.stringify(plugins)}
http: { port: 0, token: ${TOKEN} }
endpoints: [{ adapter: sandbox, id: sandbox }]
assistant: { enabled: true }
ai: { agent: { execSecurity: allowlist } }
`

const cell = (text) =>
  String(text ?? '')
    .replaceAll('|', '\\|')
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll('<', '&lt;')
    .replaceAll('{{', '{ {')
const code = (text) => `\`${String(text).replaceAll('|', '\\|')}\``
const table = (head, rows) =>
  [
    `| ${head.join(' | ')} |`,
    `|${head.map(() => '---').join('|')}|`,
    ...rows.map((row) => `| ${row.join(' | ')} |`),
  ].join('\n')
const byFirst = (rows) => rows.sort(([a], [b]) => (a < b ? -1 : 1))
const english = (text) => (typeof text === 'string' ? text : text?.en)
const firstSentence = (doc) => doc.split(/\n@|\n\s*\n/, 1)[0].replaceAll(/\{@link ([^}]*)\}/g, '$1')

const pluginFolders = () => workspaces().filter((name) => /^plugins\/(?!mynah$)/.test(name))

/** Runs a host with all plugins of this project, and returns what they have contributed, by point. */
async function contributions() {
  const { loadHost } = await import('@mynah/kernel/loader')
  const { Http } = await import('@mynah/plugin-http-core/api')
  const folder = mkdtempSync(join(tmpdir(), 'mynah-reference-'))
  // Without a database to share, cluster does not start.
  const plugins = pluginFolders()
    .map((name) => name.slice('plugins/'.length))
    .filter((name) => name !== 'cluster')
  writeFileSync(join(folder, 'mynah.config.yml'), CONFIG(plugins))
  const { host } = await loadHost(join(folder, 'mynah.config.yml'), {
    env: {},
    log: () => {},
    bases: [join(root, 'plugins/mynah')],
  })
  try {
    await host.start()
    const down = host.inspect().filter(({ state }) => state !== 'active' && state !== 'degraded')
    // The renderer needs packages that are installed on demand.
    const missing = down.filter(({ name }) => name !== 'renderer').map(({ name }) => host.why(name))
    if (missing.length) throw new Error(missing.join('\n'))
    const found = new Map()
    for (const { name, contributions: own } of host.inspect())
      for (const { point, key, value } of own) {
        if (!found.has(point)) found.set(point, [])
        found.get(point).push({ plugin: name, key, value })
      }
    const response = await fetch(`${host.get(Http).origin}/pub/openapi.json`)
    return { found, openapi: await response.json() }
  } finally {
    await host.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Returns the tokens that plugins meet through, of the kernel and of each `./api`: points, hooks and services. */
async function tokens() {
  const sources = [
    ['@mynah/kernel', join(root, 'kernel/dist/index.d.ts')],
    ...pluginFolders().map((name) => [`@mynah/plugin-${name.slice(8)}/api`, join(root, name, 'dist/api.d.ts')]),
  ]
  const found = []
  for (const [name, file] of sources) {
    const documented = exportsOfFile(file)
    if (documented.size === 0) continue
    const module = await import(pathToFileURL(file.replace(/\.d\.ts$/, '.js')).href)
    for (const [as, value] of Object.entries(module))
      if (['point', 'hook', 'service'].includes(value?.kind) && typeof value.id === 'string')
        found.push({ kind: value.kind, id: value.id, as, from: name, doc: documented.get(as)?.doc ?? '' })
  }
  return found
}

const page = (title, ...parts) => `# ${title}\n\n${parts.join('\n\n')}\n`

/** Returns the arguments of a command, as its user writes them. */
const usage = ({ name, args = {}, options = {} }) =>
  [
    `/${name}`,
    ...Object.entries(args).map(([key, { optional, kind }]) => {
      const shown = kind === 'rest' ? `${key}…` : key
      return optional ? `[${shown}]` : `<${shown}>`
    }),
    ...Object.keys(options).map((key) => `[--${key}]`),
  ].join(' ')

const commandPage = (rows) =>
  page(
    'Commands',
    'The commands of all plugins. `commands.prefix` replaces the slash. `/help` shows those that you may use.',
    table(
      ['command', 'description', 'roles', 'plugin'],
      byFirst(
        rows.map(({ value, plugin }) => [
          code(usage(value)),
          cell(english(value.description)),
          cell((value.requiredAnyRole ?? []).join(', ')),
          plugin,
        ]),
      ),
    ),
  )

const toolPage = (rows) =>
  page(
    'Tools',
    'The tools that agents may call. Those of MCP servers and of skills are added while a host runs.',
    table(
      ['tool', 'description', 'input', 'effect', 'roles', 'plugin'],
      byFirst(
        rows.map(({ value, plugin }) => [
          code(value.name),
          cell(value.description),
          Object.entries(value.parameters.properties ?? {})
            .map(([key]) => code(value.parameters.required?.includes(key) ? key : `${key}?`))
            .join(', '),
          value.effect ?? 'once',
          cell((value.requiredAnyRole ?? []).join(', ')),
          plugin,
        ]),
      ),
    ),
  )

/** Returns a table of the fields of an object, or the type of another schema in one line. */
function fields(schema) {
  const entries = Object.entries(schema?.properties ?? {})
  if (entries.length === 0) return schema?.type ? `${code(typeText(schema))}` : 'none'
  return table(
    ['field', 'type', 'description'],
    entries.map(([key, value]) => [
      code(schema.required?.includes(key) ? key : `${key}?`),
      cell(typeText(value)),
      cell(value.description),
    ]),
  )
}
const typeText = (schema) => typeOf(schema).replaceAll('`', '')

const rpcPage = (rows) =>
  page(
    'RPC methods',
    'Clients post `{ "type": …, "requestId": … }` with the fields of the input to `{api_prefix}/console/request`. The client library has a typed method for each.',
    ...rows
      .sort((a, b) => (a.key < b.key ? -1 : 1))
      .map(({ value: { type, declaration }, plugin }) =>
        [
          `## ${type}`,
          `${declaration.summary}. Plugin ${plugin}${declaration.reads ? ', only reads' : ''}.`,
          `Input: ${inBlock(fields(declaration.params ?? declaration.input))}`,
          `Answer: ${inBlock(fields(declaration.data))}`,
        ].join('\n\n'),
      ),
  )
const inBlock = (text) => (text.includes('\n') ? `\n\n${text}` : text)

const restPage = (openapi) =>
  page(
    'REST operations',
    'A host serves this description of itself at `/pub/openapi.json`, with the operations of its plugins. [The description with all plugins](/openapi.json){target="_self"}.',
    table(
      ['operation', 'summary', 'served by'],
      Object.entries(openapi.paths).flatMap(([path, operations]) =>
        Object.entries(operations).map(([method, { summary, description, tags }]) => [
          code(`${method.toUpperCase()} ${path}`),
          cell(summary ?? description),
          cell(tags?.join(', ')),
        ]),
      ),
    ),
  )

const tokenPage = (kind, title, text, all, found) =>
  page(
    title,
    text,
    table(
      ['id', 'import', 'what it is for', ...(kind === 'point' ? ['contributions of this project'] : [])],
      byFirst(
        all
          .filter((token) => token.kind === kind)
          .map(({ id, as, from, doc }) => [
            code(id),
            `${code(as)} from ${code(from)}`,
            cell(firstSentence(doc)),
            ...(kind === 'point' ? [String(found.get(id)?.length ?? 0)] : []),
          ]),
      ),
    ),
  )

/** Returns the builders of arguments, from the declaration of `param`. */
function paramPage() {
  const { code: text = '' } = exportsOfFile(join(root, 'plugins/chat/dist/api.d.ts')).get('param') ?? {}
  const members = Array.from(text.matchAll(/(?:\/\*\* ([^\n]*) \*\/\n\s*)?readonly (\w+): </g))
  return page(
    'Arguments of commands',
    'Each argument and option of a command is made by a builder of `param`, from `mynah`.',
    table(
      ['builder', 'what it reads'],
      members.map(([, doc = '', name]) => [code(`param.${name}()`), cell(doc || PARAMS[name])]),
    ),
    'All take `description`, `optional`, `default` and, for options, `short`, such as `param.integer({ min: 1, default: 10 })`.',
  )
}
const PARAMS = {
  integer: 'A whole number. Options `min` and `max` limit it.',
  number: 'A number. Options `min` and `max` limit it.',
  choice: 'One of the given words.',
}

function apiPage(name) {
  const parts = DOCUMENTED[name].map((entry) => {
    const from = entry === '.' ? name : `${name}/${entry.slice(2)}`
    const found = publicExports(name, entry)
    return [
      `## ${from}`,
      ...found.map(({ name: as, kind, doc, code: text }) =>
        [`### ${as} {#${anchor(from, as)}}`, `*${kind}*`, prose(doc), signature(text)].filter(Boolean).join('\n\n'),
      ),
    ].join('\n\n')
  })
  return page(`API of ${name}`, 'All public exports, with their types.', ...parts)
}
const anchor = (from, as) => `${from}-${as}`.replaceAll(/[^\w]+/g, '-')
const LONGEST_SIGNATURE = 4_000

/** Returns a comment as Markdown: tags become words, examples become code. */
function prose(doc) {
  const [text, ...tags] = doc.replaceAll(/\{@link ([^}]*)\}/g, '`$1`').split(/^@/m)
  const plain = (part) => part.replaceAll('<', '&lt;').replaceAll('{{', '{ {').trim()
  return [
    plain(text),
    ...tags.map((tag) => {
      const [, word, rest] = /^(\w+)\s*([\s\S]*)$/.exec(tag) ?? ['', '', tag]
      return word === 'example' ? `\`\`\`ts\n${rest.trim()}\n\`\`\`` : `*${word}* ${plain(rest)}`
    }),
  ].join('\n\n')
}
const signature = (text) =>
  text && text.length <= LONGEST_SIGNATURE
    ? `\`\`\`ts\n${text
        .replaceAll(/^\s*\/\*\*[\s\S]*?\*\/\n/gm, '')
        .replaceAll('export declare ', '')
        .replaceAll('export ', '')}\n\`\`\``
    : ''

/** Returns the codes of errors with cause and remedy, one heading each, so that each has an address. */
async function troubleshootingPage() {
  const { kernelErrors, kernelCauses } = await import('@mynah/kernel')
  const { codes } = await import('@mynah/contract')
  const entry = (name, cause, remedy) =>
    `## ${name} {#${name.replaceAll(/[^\w]+/g, '-')}}\n\nCause: ${cause}.\n\nWhat to do: ${remedy}.`
  return page(
    'Troubleshooting by error code',
    'Each refusal has a code: in the log, in the answer to a client, and in the console. `mynah doctor` checks a host before you look here.',
    ...Object.entries(kernelErrors).map(([name, remedy]) => entry(name, kernelCauses[name], remedy)),
    ...Object.entries(codes).map(([name, { status, meaning, remedy }]) =>
      entry(name, `${meaning} (HTTP ${status})`, remedy.replaceAll(/<([a-z]+)>/g, '&lt;$1&gt;')),
    ),
  )
}

async function optionPage() {
  const sections = Array.from(await optionsOfPlugins(), ([folder, own]) => {
    const name = folder.slice('plugins/'.length)
    const of = name.startsWith('adapter-') ? ', for each of its accounts in `endpoints`' : ''
    return [
      `## ${name}`,
      `Options of the plugin [${name}](/plugins/${name}/)${of}.`,
      tableOf(own).table.replaceAll('{{', '{ {'),
    ].join('\n\n')
  })
  return page('Options', 'All options of the configuration file by plugin.', ...sections)
}

/**
 * Returns all pages of the reference by path, and the description of the REST operations of a host with all plugins.
 *
 * @throws if a plugin does not start, or the packages are not built
 */
export async function reference() {
  const { found, openapi } = await contributions()
  const all = await tokens()
  const of = (point) => found.get(point) ?? []
  const named = (rows) =>
    byFirst(rows.map(({ key, value, plugin }) => [code(key), cell(english(value.description ?? value.title)), plugin]))
  const pages = new Map([
    ['reference/commands.md', commandPage(of('chat.commands'))],
    ['reference/params.md', paramPage()],
    [
      'reference/middlewares.md',
      page(
        'Middlewares',
        'Functions around the handling of a message, the highest priority first. A plugin adds its own to the point `chat.middlewares`: `{ name, priority, handle(message, next) }`. Without a call of `next` the handling ends.',
        table(
          ['middleware', 'priority', 'plugin'],
          of('chat.middlewares')
            .sort((a, b) => (b.value.priority ?? 0) - (a.value.priority ?? 0))
            .map(({ key, value, plugin }) => [code(key), String(value.priority ?? 0), plugin]),
        ),
      ),
    ],
    [
      'reference/points.md',
      tokenPage(
        'point',
        'Points',
        '`ctx.contribute(point, value)` adds to a point, `ctx.read(point)` reads it.',
        all,
        found,
      ),
    ],
    [
      'reference/hooks.md',
      tokenPage('hook', 'Hooks', '`ctx.on(hook, listener)` listens, until the plugin stops.', all, found),
    ],
    [
      'reference/services.md',
      tokenPage(
        'service',
        'Services',
        'A plugin names the services that it uses in `needs`, and those that it has in `provides`.',
        all,
        found,
      ),
    ],
    ['reference/tools.md', toolPage(of('tools'))],
    [
      'reference/approvals.md',
      page(
        'Kinds of approvals',
        'The kinds of requests to the owner. A plugin adds its own kinds to the point `exec.approval-kinds`.',
        table(['kind', 'what it is', 'plugin'], named(of('exec.approval-kinds'))),
      ),
    ],
    ['reference/options.md', await optionPage()],
    ['reference/rpc.md', rpcPage(of('rpc.methods'))],
    ['reference/rest.md', restPage(openapi)],
    ['reference/troubleshooting.md', await troubleshootingPage()],
    ...Object.keys(DOCUMENTED).map((name) => [`reference/api-${name.replace('@mynah/', '')}.md`, apiPage(name)]),
  ])
  return { pages, openapi }
}
