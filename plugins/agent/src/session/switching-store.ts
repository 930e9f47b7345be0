import type { SessionStore } from './types.js'

/** Returns a store that delegates each call to the one that `select` returns at that moment. */
export function switchingStore(select: () => SessionStore): SessionStore {
  return new Proxy({} as SessionStore, {
    get(_, name) {
      const store = select()
      const member: unknown = store[name as keyof SessionStore]
      return typeof member === 'function' ? (member.bind(store) as unknown) : member
    },
  })
}
