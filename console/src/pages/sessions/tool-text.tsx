import { useMemo } from 'preact/hooks'
import type { ToolUse } from './model.js'
import { prettyJson } from './pretty-json.js'

interface ToolTextProps {
  readonly tool: ToolUse
  /** Whether it is unfolded. Only then is the text formatted, which may be long. */
  readonly isShown: boolean
}

/** Shows what a tool was given and what it returned. JSON is shown in lines. */
export function ToolText({ tool: { input, output = '', failed }, isShown }: ToolTextProps) {
  const text = useMemo(
    () =>
      [input, output]
        .map((part) => (isShown ? prettyJson(part) : part))
        .join('\n\n')
        .trim(),
    [input, output, isShown],
  )
  return (
    <pre class={failed ? 'tool-output err' : 'tool-output'} tabIndex={0}>
      {text}
    </pre>
  )
}
