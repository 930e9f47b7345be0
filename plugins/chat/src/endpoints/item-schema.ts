import { installCommandOf } from '@mynah/kernel'
import type { TObject } from '@mynah/contract/type'
import type { Adapter } from '../api/adapter.js'
import { endpointItem } from '../api/endpoint-schema.js'

const schemas = new WeakMap<Adapter, TObject>()

/** Returns the schema of one item of `endpoints` for an adapter. */
export function itemSchema(adapter: Adapter): TObject {
  let schema = schemas.get(adapter)
  if (!schema) schemas.set(adapter, (schema = endpointItem(adapter.schema)))
  return schema
}

/** Returns what to do for an adapter that no enabled plugin provides. */
export function adapterHint(adapter: string): string {
  const plugin = `adapter-${adapter}`
  const command = installCommandOf(plugin)
  return command ? `add ${plugin} to plugins, after: ${command}` : 'add the plugin that does to plugins'
}
