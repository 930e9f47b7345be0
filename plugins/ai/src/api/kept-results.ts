// Storage for results that are too long for a model.
import { service, type Service } from '@mynah/kernel'
import type { ToolCall } from './tools.js'

/** Stores whole results of which a model gets a part. Plugins with file tools provide it. */
export interface KeptResults {
  /** Stores a result. Returns its path for `read_file`, or `undefined` when the call may not read files. */
  keep(text: string, call: Pick<ToolCall, 'turn' | 'id' | 'roles' | 'origin'>): Promise<string | undefined>
}
export const KeptResults: Service<KeptResults> = service<KeptResults>('kept-results', { plugin: 'toolbox' })
