// What following a command yields: commands that will be run, or verdicts that no list changes.
import type { Reading, Use } from './options.js'
import type { RedirectInfo, Stdin } from './redirects.js'
import type { AssignmentInfo } from './walk-types.js'
import type { Arg } from './words.js'

/** One command that will be run, with everything around it that was stripped. */
export interface ResolvedCommand {
  readonly kind: 'command'
  /** The command word and its arguments; empty for assignments and redirections alone. */
  readonly words: readonly Arg[]
  /** Its words as its table explains them. */
  readonly reading: Reading | undefined
  readonly environment: readonly { readonly name: string; readonly value: Arg | undefined; readonly text: string }[]
  readonly redirects: readonly RedirectInfo[]
  /** The wrappers that were stripped, as they were written, where they are more than a plain one of that name. */
  readonly wrappers: readonly string[]
  /** What stripped wrappers do with files. */
  readonly uses: readonly Use[]
  /** What about it is not covered whatever the lists say. */
  readonly concerns: readonly string[]
  /** Assignments that stand alone and therefore change the shell. */
  readonly assignments: readonly AssignmentInfo[]
  readonly stdin: Stdin
}

/** A verdict that no list changes. */
export interface FixedVerdict {
  readonly kind: 'blacklisted' | 'refused' | 'opaque'
  readonly text: string
  readonly reason: string
}

export type Resolved = ResolvedCommand | FixedVerdict
