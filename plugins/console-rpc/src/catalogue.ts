import type { RestOutput } from '@mynah/contract'
import type { consoleApi } from '@mynah/contract'
import type { Reader } from '@mynah/kernel'
import type { DeclaredEvent } from '@mynah/plugin-events/api'
import type { BoundMethod } from './api.js'

/** The available methods and events with their schemas, each list sorted by name. */
export type Catalogue = RestOutput<(typeof consoleApi)['rest']['GET /console/methods']>

const NO_PARAMS = { type: 'object', properties: {} }
const byType = (a: { type: string }, b: { type: string }): number => (a.type < b.type ? -1 : 1)

/** Returns the catalogue of the currently bound methods and declared events. */
export function catalogueOf(methods: Reader<BoundMethod>, events: Reader<DeclaredEvent>): Catalogue {
  return {
    methods: methods
      .all()
      .map(({ value: { type, declaration } }) => {
        const params = declaration.params ?? NO_PARAMS
        return {
          type,
          summary: declaration.summary,
          scope: declaration.scope ?? 'full',
          params: declaration.nested ? { type: 'object', properties: { data: params } } : params,
          result: declaration.data,
        }
      })
      .sort(byType),
    events: events
      .all()
      .map(({ value: { type, declaration } }) => ({ type, summary: declaration.summary, data: declaration.data }))
      .sort(byType),
  }
}
