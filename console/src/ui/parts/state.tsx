import type { ComponentChildren } from 'preact'
import { Shape } from '../badge.js'

export type StateTone = 'well' | 'wait' | 'wrong' | 'plain'

export function State({ tone, children }: { readonly tone: StateTone; readonly children: ComponentChildren }) {
  const shape = { well: 'full', wait: 'half', wrong: 'ring', plain: undefined }[tone] as 'full' | undefined
  return (
    <span class={`status ${tone}`}>
      {shape ? <Shape shape={shape} /> : null}
      <span>{children}</span>
    </span>
  )
}
