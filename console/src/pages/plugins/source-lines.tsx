import type { SourceLine } from './model.js'

interface SourceLinesProps {
  readonly lines: readonly SourceLine[]
  /** Of the wrong line, from 1. */
  readonly column?: number | undefined
  readonly label: string
}

/** Shows lines of a text with their numbers, and marks the wrong one. */
export function SourceLines({ lines, column, label }: SourceLinesProps) {
  return (
    <div class="source" role="group" tabIndex={0} aria-label={label}>
      {lines.map(({ number, text, isError }) => (
        <div key={number} class={isError ? 'wrong' : undefined}>
          <i>{number}</i>
          <code>{isError && column !== undefined ? <Marked text={text} column={column} /> : text}</code>
        </div>
      ))}
    </div>
  )
}

function Marked({ text, column }: { readonly text: string; readonly column: number }) {
  return (
    <>
      {text.slice(0, column - 1)}
      <mark>{text.slice(column - 1, column)}</mark>
      {text.slice(column)}
    </>
  )
}
