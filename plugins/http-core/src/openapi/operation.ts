import { codes, refinements, statusOf, type BaseCode, type RestOperation, type Scope } from '@mynah/contract'
import type { BoundRoute } from '../router.js'
import type { Components } from './components.js'

type Json = Record<string, unknown>
interface ObjectSchema {
  readonly properties: Readonly<Record<string, Json>>
  readonly required?: readonly string[]
}

const json = (schema: unknown): Json => ({ 'application/json': { schema } })
/** Methods whose body is ignored. */
const BODILESS: ReadonlySet<string> = new Set(['GET', 'HEAD'])
type Answerable = BaseCode | keyof typeof refinements
const meanings: Readonly<Record<Answerable, { readonly meaning: string }>> = { ...codes, ...refinements }

/** Returns the path with its parameters in braces. */
export const templateOf = (path: string): string => path.replaceAll(/[:*](\w+)/g, '{$1}')

function operationIdOf({ route, path }: BoundRoute): string {
  const words = path
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
    .map((word) => (word[0] as string).toUpperCase() + word.slice(1))
  return route.method.toLowerCase() + words.join('')
}

function parametersOf({ path, route: { operation } }: BoundRoute, components: Components): Json[] {
  const declared = (operation.params as ObjectSchema | undefined)?.properties ?? {}
  const inPath = Array.from(path.matchAll(/[:*](\w+)/g), ([, name]) => name as string).map((name): Json => ({
    name,
    in: 'path',
    required: true,
    schema: components.schema(declared[name] ?? { type: 'string' }),
  }))
  const query = operation.query as ObjectSchema | undefined
  const inQuery = Object.entries(query?.properties ?? {}).map(([name, schema]): Json => ({
    name,
    in: 'query',
    required: query?.required?.includes(name) ?? false,
    ...(schema.description ? { description: schema.description } : {}),
    schema: components.schema(schema),
  }))
  return [...inPath, ...inQuery]
}

/** Returns the codes that a client may get here, by status. Any request can be malformed, slow, or have too large headers. */
function failuresOf({ route: { method, operation } }: BoundRoute): Map<number, Answerable[]> {
  const scope: Scope = operation.scope ?? 'full'
  const found = new Set<Answerable>([
    'invalid_request',
    'invalid_request:timeout',
    'forbidden',
    'too_large:headers',
    'internal',
  ])
  if (scope === 'full' || scope === 'demo')
    for (const code of ['unauthorized', 'rate_limited'] as const) found.add(code)
  if (!BODILESS.has(method)) found.add('too_large')
  if (!BODILESS.has(method) && operation.raw === undefined) found.add('unsupported_media_type')
  for (const code of operation.errors ?? []) found.add(code)
  const byStatus = new Map<number, Answerable[]>()
  for (const code of found) byStatus.set(statusOf(code), [...(byStatus.get(statusOf(code)) ?? []), code])
  return byStatus
}

function successOf(operation: RestOperation, components: Components): Json {
  if (operation.raw !== undefined)
    return {
      [operation.raw.split(';', 1)[0] as string]: {
        schema: operation.raw.startsWith('application/json') ? {} : { type: 'string' },
      },
    }
  if (operation.reply) return json(components.schema(operation.reply))
  const data = operation.data ? components.schema(operation.data) : { type: 'null' }
  return json({
    type: 'object',
    required: ['success', 'data'],
    properties: { success: { type: 'boolean', const: true }, data },
  })
}

/** Returns the OpenAPI operation of a route. */
export function operationOf(bound: BoundRoute, components: Components): Json {
  const { operation } = bound.route
  const isOpen = operation.scope === 'public' || operation.scope === 'webhook'
  const responses: Record<string, Json> = {
    [operation.status ?? 200]: { description: 'Success', content: successOf(operation, components) },
    ...(operation.also
      ? { [operation.also.status]: { description: operation.also.meaning, content: successOf(operation, components) } }
      : {}),
  }
  for (const [status, failures] of Array.from(failuresOf(bound)).sort(([a], [b]) => a - b)) {
    responses[status] = {
      description: failures.map((code) => `\`${code}\`: ${meanings[code].meaning}`).join('; '),
      content: json({ $ref: '#/components/schemas/Failure' }),
    }
  }
  const parameters = parametersOf(bound, components)
  return {
    operationId: operationIdOf(bound),
    summary: operation.summary,
    tags: [bound.owner],
    security: isOpen ? [] : [{ bearer: [] }],
    'x-scope': operation.scope ?? 'full',
    ...(parameters.length ? { parameters } : {}),
    ...(operation.body ? { requestBody: { required: true, content: json(components.schema(operation.body)) } } : {}),
    responses,
  }
}
