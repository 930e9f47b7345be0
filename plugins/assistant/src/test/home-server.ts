import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: { readonly name?: string; readonly arguments?: Record<string, unknown> }
}

const [, , calls = '', shape = '{}'] = process.argv
const { state, call, fields, broken } = JSON.parse(shape) as {
  state: string
  call: string
  fields: string[]
  broken?: boolean
}
const schema = (names: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(
    names.map((name) => [
      name,
      ['data', 'service_data', 'target'].includes(name) ? { type: 'object' } : { type: 'string' },
    ]),
  ),
})
const tools = [
  { name: state, description: 'Tells a state', inputSchema: schema(['entity_id']) },
  { name: call, description: 'Calls a service', inputSchema: schema(fields) },
]

function answer({ method, params }: Message): unknown {
  if (method === 'initialize')
    return { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'home', version: '1' } }
  if (method === 'tools/list') return { tools }
  if (method !== 'tools/call') return {}
  appendFileSync(calls, `${JSON.stringify(params)}\n`)
  if (broken)
    return { isError: true, content: [{ type: 'text', text: '<!doctype html><title>502 Bad Gateway</title>' }] }
  return {
    content: [
      {
        type: 'text',
        text:
          params?.name === state
            ? JSON.stringify({ state: 'on', attributes: { of: params.arguments?.entity_id } })
            : 'done',
      },
    ],
  }
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line) as Message
  if (message.id !== undefined)
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: message.id, result: answer(message) })}\n`)
})
