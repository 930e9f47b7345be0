export const resources = ['commands', 'endpoints', 'bindings', 'tools', 'mcp'] as const
export type Resource = (typeof resources)[number]

/** Fields of an item, in the order of the interface; columns map one to one to them. */
export const fields: Readonly<Record<Resource, readonly string[]>> = {
  commands: ['pattern', 'desc', 'plugin'],
  endpoints: ['adapter', 'name', 'online'],
  bindings: ['name', 'provider', 'model', 'mcpServers', 'hasAgentFile'],
  tools: ['name', 'description', 'source'],
  mcp: ['name', 'connected', 'toolCount'],
}

export type Item = Readonly<Record<string, unknown>>
export interface Page {
  readonly items: readonly Item[]
  readonly page: number
  readonly totalPages: number
  readonly total: number
  readonly note?: string
}

/** Returns the resource of an address, by default commands. */
export const resourceOf = (text: string | undefined): Resource => resources.find((name) => name === text) ?? 'commands'

/** Splits a text at the matches of a filter. Every second piece is a match. */
export function marked(text: string, needle: string): string[] {
  if (!needle) return [text]
  const lower = text.toLowerCase()
  const wanted = needle.toLowerCase()
  const parts: string[] = []
  let from = 0
  for (let at = lower.indexOf(wanted); at >= 0 && lower.length === text.length; at = lower.indexOf(wanted, from)) {
    parts.push(text.slice(from, at), text.slice(at, at + wanted.length))
    from = at + wanted.length
  }
  return [...parts, text.slice(from)]
}

/** Returns the call as a curl command, without the token. */
export const curl = (url: string): string => `curl -H "Authorization: Bearer $TOKEN" '${url.replaceAll("'", '%27')}'`
