import type { fromMarkdown } from 'mdast-util-from-markdown'

/** The document of a text in Markdown, as `mdast` describes it. */
export type MarkdownTree = ReturnType<typeof fromMarkdown>

/** A range of a text and its meaning. Offset and length are in UTF-16 units. */
export interface TextEntity {
  readonly type: 'bold' | 'italic' | 'strikethrough' | 'code' | 'pre' | 'quote' | 'link'
  readonly offset: number
  readonly length: number
  /** The address of a `link`, of http, https or mailto. */
  readonly url?: string
  /** The language of a `pre`. */
  readonly language?: string
}

/** A text as a platform shows it, with the meaning of its parts. */
export interface FormattedText {
  readonly text: string
  /** In the order of their offsets. An entity contains a later one, or ends before it. */
  readonly entities: readonly TextEntity[]
}
