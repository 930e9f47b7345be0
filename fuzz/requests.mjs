// Creates requests from the description of a host: operations of its OpenAPI document, methods of its catalogue.
import { randomBytes, randomJson } from '@mynah/plugin-chat/testing'
import { Values } from './values.mjs'

/** Operations that would end the fuzzing. */
const LEFT_OUT = new Set(['system:restart'])
/** Sections that the fuzzer needs: the server, and the registry with correct answers. */
const OWN = new Set(['http', 'http-core', 'marketplace'])

/** Returns a function for every kind of request. It returns the name and the request. */
export function requestsOf(document, catalogue, chance) {
  const values = new Values(chance, document.components.schemas)
  const makers = []
  for (const [template, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const declared = new Set(Object.keys(operation.responses).map(Number))
      makers.push(() => ({
        name: `${method.toUpperCase()} ${template}`,
        declared,
        ...rest(template, method, operation, values, chance),
      }))
    }
  }
  const rpc = document.paths[Object.keys(document.paths).find((path) => path.endsWith('/console/request'))].post
  const path = Object.keys(document.paths).find((other) => other.endsWith('/console/request'))
  const declared = new Set(Object.keys(rpc.responses).map(Number))
  for (const { type, params } of catalogue.methods) {
    if (LEFT_OUT.has(type)) continue
    makers.push(() => {
      const body = { ...values.of(params), type, requestId: chance.below(1_000) }
      if (type === 'config:set' && (OWN.has(body.pluginName) || chance.below(2)))
        body.pluginName = chance.pick(['logs', 'wants', 'chat', 'dispatcher', 'commands', 'endpoints'])
      return {
        name: type,
        declared,
        path,
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }
    })
  }
  return makers
}

function rest(template, method, operation, values, chance) {
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name) => {
    const { schema } =
      operation.parameters?.find((parameter) => parameter.in === 'path' && parameter.name === name) ?? {}
    const value = values.of(schema)
    const text = typeof value === 'string' ? value.slice(0, 2_000) : (JSON.stringify(value) ?? 'x')
    const own = template.endsWith('/config/{name}') && OWN.has(text) ? 'logs' : text
    return encodeURIComponent(own.isWellFormed() ? own : 'x') || 'x'
  })
  const query = (operation.parameters ?? [])
    .filter((parameter) => parameter.in === 'query' && chance.below(2))
    .map(({ name, schema }) => {
      const value = values.of(schema)
      const text = typeof value === 'string' ? value.slice(0, 3_000) : (JSON.stringify(value) ?? '')
      return `${name}=${encodeURIComponent(text.isWellFormed() ? text : 'x')}`
    })
  const headers = {}
  let body
  if (method !== 'get') {
    headers['content-type'] = chance.below(20)
      ? 'application/json'
      : chance.pick([
          'text/plain',
          ' application/json ; charset=utf-8',
          'application/json;',
          `application/json${' '.repeat(5_000)};x`,
          '',
        ])
    body = chance.below(10)
      ? (JSON.stringify(values.of(operation.requestBody?.content['application/json']?.schema)) ?? '')
      : chance.pick([
          () => randomBytes(chance, 1_000),
          () => '['.repeat(100_000),
          () => JSON.stringify(randomJson(chance)) ?? '',
          () => `{"a":${values.long()}}`,
          () => `[${'0,'.repeat(300_000)}0]`,
        ])()
  }
  return {
    path: path + (query.length ? `?${query.join('&')}` : ''),
    method: method.toUpperCase(),
    headers,
    body,
    stream: template.endsWith('/events'),
  }
}
