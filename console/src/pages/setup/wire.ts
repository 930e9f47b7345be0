/** `endpoint:test` and `models:test`, as far as the forms show it. */
export interface Tried {
  readonly ok: boolean
  readonly message: string
  readonly details?: readonly { readonly path: string; readonly message: string }[]
  readonly model?: string
  readonly models?: readonly string[]
  readonly tokens?: { readonly input: number; readonly output: number; readonly cost?: number }
  readonly ms: number
}
