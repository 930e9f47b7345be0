// Where parameters go and what an answer is, told from the address alone, since no schema reaches a browser.

/** Methods whose parameters are known to stand in `data`. */
export type CoreNested = `endpoint:${string}` | `sandbox:${string}`
/** Operations known to stand outside the management prefix. */
export type CoreOutside = `${string} /pub/${string}` | `${string} /entries` | `${string} /@dev/${string}`

const NESTED = /^(?:endpoint|sandbox):/
const OUTSIDE = /^[A-Z]+ \/(?:pub\/|entries$|@dev\/)/
const WHOLE = /^(?:GET \/pub\/marketplace\/|POST \/console\/request$|POST \/agent\/sessions\/:sessionKey\/leaf$)/

type Keys = Readonly<Record<string, true>>

/** The rules of the core, and what plugin contracts add to them. */
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

  /** Whether the parameters of the method stand in the field `data` of the request. */
  nested(type: string): boolean {
    return NESTED.test(type) || has(this.#added.nested, type)
  }

  /** Whether the operation stands outside the management prefix, and so takes no token. */
  outside(operation: string): boolean {
    return OUTSIDE.test(operation) || has(this.#added.outside, operation)
  }

  /** Whether the caller gets the whole answer although it looks like an envelope. */
  whole(operation: string): boolean {
    return WHOLE.test(operation) || has(this.#added.whole, operation)
  }
}

const has = (keys: Keys | undefined, key: string): boolean => keys !== undefined && Object.hasOwn(keys, key)
