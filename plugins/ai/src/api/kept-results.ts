// Where results stand that are too long for a model: whoever offers tools that read files keeps them.
import { service, type Service } from '@mynah/kernel'
import type { ToolCall } from './tools.js'

/** Keeps the whole of a result of which a model gets a part. */
export interface KeptResults {
  /** Writes it down; gives the path by which `read_file` pages it, or `undefined` where this call may not read files. */
  keep(text: string, call: Pick<ToolCall, 'turn' | 'id' | 'roles'>): Promise<string | undefined>
}
export const KeptResults: Service<KeptResults> = service<KeptResults>('kept-results')
