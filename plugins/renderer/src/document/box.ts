import type { Style } from './node.js'

export interface Box {
  readonly type: 'div'
  readonly props: { readonly style: Style; readonly children: string | readonly Box[] }
}

/** Creates a box of text or of boxes: a React element without React. */
export function box(style: Style, ...children: readonly Box[] | readonly [string]): Box {
  const [only] = children
  return { type: 'div', props: { style, children: typeof only === 'string' ? only : (children as readonly Box[]) } }
}
