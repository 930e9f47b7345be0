// A box as the layout engine takes it: an element of React without React.
import type { Style } from './node.js'

export interface Box {
  readonly type: 'div'
  readonly props: { readonly style: Style; readonly children: string | readonly Box[] }
}

/** A box of text, or of boxes. */
export function box(style: Style, ...children: readonly Box[] | readonly [string]): Box {
  const [only] = children
  return { type: 'div', props: { style, children: typeof only === 'string' ? only : (children as readonly Box[]) } }
}
