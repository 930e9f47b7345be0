/** `endpoint:test` and `models:test`, as far as the forms show it. */
export interface Tried {
  readonly ok: boolean
  readonly message: string
  readonly details?: readonly { readonly path: string; readonly message: string }[]
  /** Permissions and the like that an account lacks, and where to grant them. */
  readonly missing?: readonly string[]
  readonly model?: string
  readonly models?: readonly string[]
  readonly tokens?: { readonly input: number; readonly output: number; readonly cost?: number }
  readonly ms: number
}
