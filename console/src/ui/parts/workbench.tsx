import type { ComponentChildren } from 'preact'

export interface WorkbenchProps {
  readonly head: ComponentChildren
  /** The list at the left; on narrow screens above the rest. */
  readonly side?: ComponentChildren
  readonly children: ComponentChildren
  /** A third pane at the right. */
  readonly end?: ComponentChildren
  readonly bar?: ComponentChildren
  /** On narrow screens the list is left out, since something of it is open. */
  readonly open?: boolean
}

export function Workbench({ head, side, children, end, bar, open = false }: WorkbenchProps) {
  return (
    <div class={open ? 'workbench open' : 'workbench'}>
      <div class="head">{head}</div>
      <div class={`panes${side ? ' with-side' : ''}${end ? ' with-end' : ''}`}>
        {side ? <div class="pane side">{side}</div> : null}
        <div class="pane main">{children}</div>
        {end ? <div class="pane end">{end}</div> : null}
      </div>
      {bar}
    </div>
  )
}
