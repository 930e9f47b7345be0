import type { Reader } from '@mynah/kernel'
import type { Route } from '../api.js'
import { VERSION } from '../health.js'
import { pathOf } from '../router.js'
import { Components } from './components.js'
import { operationOf, templateOf } from './operation.js'

const METHODS = new Set(['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE'])

function build(reader: Reader<Route>, prefix: string): string {
  const components = new Components()
  const paths: Record<string, Record<string, unknown>> = {}
  const owners = new Set<string>()
  for (const { value: route, owner } of reader.all()) {
    if (!METHODS.has(route.method)) continue
    const path = pathOf(route, prefix)
    owners.add(owner)
    const template = templateOf(path)
    paths[template] = {
      ...paths[template],
      [route.method.toLowerCase()]: operationOf({ route, owner, path }, components),
    }
  }
  return JSON.stringify({
    openapi: '3.1.0',
    info: {
      title: 'Mynah host',
      version: VERSION,
      license: { name: 'MIT', identifier: 'MIT' },
      description: 'The management API of a host of chat bots, with the routes of the plugins that run at this moment.',
    },
    servers: [{ url: '/', description: 'This host' }],
    tags: Array.from(owners, (name) => ({ name, description: `Served by the plugin ${name}` })),
    paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))),
    components: {
      schemas: Object.fromEntries(Object.entries(components.schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: 'A token of this host' } },
    },
  })
}

/** Returns a function that returns the OpenAPI 3.1 document as text. The text is built again only after the routes changed. */
export function openApiOf(reader: Reader<Route>, prefix: string): () => string {
  let text = ''
  let revision = -1
  return () => {
    if (revision !== reader.revision) {
      text = build(reader, prefix)
      revision = reader.revision
    }
    return text
  }
}
