import { Type, type TObject } from '@mynah/contract/type'
import type { ItemSchema } from '@mynah/kernel'
import { endpointKeys } from '../config.js'

/** An item of `endpoints`: its keys in every adapter, and those of one. */
export const endpointItem = (schema?: TObject): TObject =>
  Type.Object({ ...endpointKeys, ...schema?.properties }, { additionalProperties: false })

/**
 * Returns the schema of the accounts of an adapter, for `items` of its plugin. With it, checks of a configuration know
 * the options of an account before the plugin starts.
 *
 * @example
 * export default definePlugin({ name: 'adapter-line', items: [endpointSchema(line)], setup: … })
 */
export const endpointSchema = ({ name, schema }: { readonly name: string; readonly schema?: TObject }): ItemSchema => ({
  list: 'endpoints',
  key: 'adapter',
  value: name,
  schema: endpointItem(schema),
})
