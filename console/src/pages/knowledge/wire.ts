/** A base of documents, as `knowledge:list` answers. */
export interface Base {
  readonly name: string
  readonly paths: readonly string[]
  readonly roles: readonly string[]
  readonly files: number
  readonly chunks: number
  readonly pending: number
  readonly missing: readonly string[]
  readonly problems: readonly { readonly path: string; readonly problem: string }[]
}

export interface DocumentRow {
  readonly path: string
  readonly origin: 'folder' | 'upload'
  readonly size: number
  readonly chunks: number
  readonly indexedAt: number
  readonly problem?: string
}

export interface DocumentPage {
  readonly files: readonly DocumentRow[]
  readonly total: number
  readonly nextAfter?: string
}

/** A passage that was found for a question. */
export interface Passage {
  readonly base: string
  readonly path: string
  readonly heading: string
  readonly page?: number
  readonly text: string
}
