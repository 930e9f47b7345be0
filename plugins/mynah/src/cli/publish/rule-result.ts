/** The result of one rule for a package that is about to be published. */
export interface RuleResult {
  /** Name of the rule, the same in each run. */
  readonly rule: string
  /** `fix` refuses the package; `note` does not. */
  readonly state: 'ok' | 'note' | 'fix'
  readonly text: string
  /** The next step. Absent where the rule is met. */
  readonly remedy?: string
}

/** `plugin` is a plugin of any author. `own` is a package of Mynah itself, with other rules of name and peer. */
export type Profile = 'plugin' | 'own'

/** A manifest as far as the rules read it. Nothing in it has been checked. */
export type Manifest = Readonly<Record<string, unknown>> & { readonly name: string; readonly version: string }

export const ok = (rule: string, text: string): RuleResult => ({ rule, state: 'ok', text })
export const note = (rule: string, text: string, remedy: string): RuleResult => ({ rule, state: 'note', text, remedy })
export const fix = (rule: string, text: string, remedy: string): RuleResult => ({ rule, state: 'fix', text, remedy })

const OWN_NAME = /^(?:mynah|create-mynah|@mynah\/.+)$/

export const profileOf = (name: string): Profile => (OWN_NAME.test(name) ? 'own' : 'plugin')

/** Returns whether a package is a part of Mynah of which a host has one copy. */
export const isOfHost = (name: string): boolean => name === 'mynah' || name.startsWith('@mynah/')
