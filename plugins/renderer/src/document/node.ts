/** Styles by the names of CSS in JavaScript. */
export type Style = Readonly<Record<string, string | number>>

export interface ElementNode {
  readonly tag: string
  readonly style: Style
  readonly children: DocumentNode[]
  /** First number of a list. */
  readonly start?: number
}
export type DocumentNode = ElementNode | string

export const isElement = (node: DocumentNode): node is ElementNode => typeof node !== 'string'
