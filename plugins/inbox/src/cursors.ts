import type { Cursors, EndpointKey } from '@mynah/plugin-chat/api'
import { step, type Step } from '@mynah/plugin-database/api'
import { StoredCursors, type StoredCursor } from './tables.js'

/** Returns the steps that write the cursors of an endpoint. */
export function cursorSteps({ adapter, endpoint }: EndpointKey, cursors: Cursors): Step[] {
  const rows: StoredCursor[] = Object.entries(cursors).map(([name, value]) => ({ adapter, endpoint, name, value }))
  if (rows.length === 0) return []
  return [step.appendNew(StoredCursors, rows), step.change(StoredCursors, rows)]
}
