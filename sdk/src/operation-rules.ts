// How to send calls and read responses, derived from their addresses, since browsers load no schemas.

/** Methods of the core whose parameters are in the field `data`. */
export type CoreNested = `endpoint:${string}` | `sandbox:${string}`
/** Operations of the core outside the management prefix. */
export type CoreOutside = `${string} /pub/${string}` | `${string} /entries` | `${string} /@dev/${string}`

const NESTED = /^(?:endpoint|sandbox):/
const OUTSIDE = /^[A-Z]+ \/(?:pub\/|entries$|@dev\/)/
const WHOLE = /^(?:GET \/pub\/marketplace\/|POST \/console\/request$|POST \/agent\/sessions\/:sessionKey\/leaf$)/

type Keys = Readonly<Record<string, true>>

/** The rules of the core, and those that contracts of plugins add. */
export class OperationRules {
  readonly #added: { readonly nested?: Keys; readonly outside?: Keys; readonly whole?: Keys }

  constructor(added: { readonly nested?: Keys; readonly outside?: Keys; readonly whole?: Keys } = {}) {
    this.#added = added
  }

  with(more: { readonly nested?: Keys; readonly outside?: Keys; readonly whole?: Keys }): OperationRules {
    const { nested, outside, whole } = this.#added
    return new OperationRules({
      nested: { ...nested, ...more.nested },
      outside: { ...outside, ...more.outside },
      whole: { ...whole, ...more.whole },
    })
  }

  /** Returns whether the parameters of the method are in the field `data` of the request. */
  nested(type: string): boolean {
    return NESTED.test(type) || has(this.#added.nested, type)
  }

  /** Returns whether the operation is outside the management prefix, and so takes no token. */
  outside(operation: string): boolean {
    return OUTSIDE.test(operation) || has(this.#added.outside, operation)
  }

  /** Returns whether the result is the whole response although it looks like an envelope. */
  whole(operation: string): boolean {
    return WHOLE.test(operation) || has(this.#added.whole, operation)
  }
}

const has = (keys: Keys | undefined, key: string): boolean => keys !== undefined && Object.hasOwn(keys, key)
