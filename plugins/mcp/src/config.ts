import type { Mistake } from '@mynah/kernel'
import { Type, type Static } from '@mynah/contract/type'

const closed = { additionalProperties: false } as const
const Names = (description: string) => Type.Optional(Type.Array(Type.String({ minLength: 1 }), { description }))

export const ServerConfig = Type.Object(
  {
    command: Type.Optional(
      Type.String({ minLength: 1, description: 'Program that speaks over its standard input and output' }),
    ),
    args: Type.Optional(Type.Array(Type.String(), { description: 'Its arguments' })),
    env: Type.Optional(
      Type.Record(Type.String(), Type.String({ secret: true }), {
        description: 'Its environment in addition to PATH, HOME and LANG; it gets no other variable of the host',
      }),
    ),
    cwd: Type.Optional(
      Type.String({ minLength: 1, description: 'Its working folder, relative to that of the configuration file' }),
    ),
    url: Type.Optional(
      Type.String({
        pattern: '^https?://',
        description: 'Address of a server over streamable HTTP, or over SSE for old servers',
      }),
    ),
    headers: Type.Optional(
      Type.Record(Type.String(), Type.String({ secret: true }), { description: 'Sent with every request to `url`' }),
    ),
    include: Names('The only tools that are offered, by the server’s names'),
    exclude: Names('Tools that are not offered'),
    timeout: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 86_400_000, description: 'Limit of one call, ms; default 120,000' }),
    ),
    disabled: Type.Optional(Type.Boolean({ description: 'Disables the server' })),
  },
  closed,
)
export type ServerConfig = Static<typeof ServerConfig>

const Servers = Type.Record(Type.String(), ServerConfig, { default: {}, description: 'By name' })

/** The sections of the plugin, by path. */
export interface Config {
  readonly 'ai.mcpServers': Static<typeof Servers>
}

export const claims = {
  keys: { 'ai.mcpServers': Servers },
  check: (config: Config): Mistake[] => mistakesIn(config),
}

const NAME = /^[^\s:]{1,64}$/
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/

/** Checks what a schema cannot express. */
function mistakesIn(config: Config): Mistake[] {
  return Object.entries(config['ai.mcpServers']).flatMap(([name, server]) => mistakesOf(name, server))
}

function mistakesOf(name: string, server: ServerConfig): Mistake[] {
  const found: Mistake[] = []
  const bad = (field: string, message: string): void =>
    void found.push({ path: `ai.mcpServers.${name}${field && `.${field}`}`, message })
  const { command, url, env = {}, headers = {} } = server
  if (!NAME.test(name)) bad('', 'is no name: it has at most 64 characters, no spaces and no ":"')
  if (command === undefined && url === undefined) bad('', 'needs a command or a url')
  if (command !== undefined && url !== undefined)
    bad('url', 'may not be combined with a command: a server has one or the other')
  if (url !== undefined && !URL.canParse(url)) bad('url', 'is no address')
  const strange = command === undefined ? (['args', 'env', 'cwd'] as const) : (['headers'] as const)
  for (const field of strange)
    if (server[field] !== undefined)
      bad(field, `is only for a server with a ${command === undefined ? 'command' : 'url'}`)
  for (const variable of Object.keys(env))
    if (!VARIABLE.test(variable)) bad(`env.${variable}`, 'is no name of an environment variable')
  for (const [variable, value] of Object.entries(env))
    if (value.includes('\0')) bad(`env.${variable}`, 'holds a zero byte')
  for (const [header, value] of Object.entries(headers))
    if (!isHeader(header, value)) bad(`headers.${header}`, 'cannot be sent as a header')
  return found
}

function isHeader(name: string, value: string): boolean {
  try {
    return new Headers([[name, value]]).has(name)
  } catch {
    // The error message would contain the value, which is a secret.
    return false
  }
}
