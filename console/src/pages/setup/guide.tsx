import type { ComponentChildren } from 'preact'
import { partsOf, type GuidePart } from './guide-parts.js'

/** The steps on a platform, with their links, names of buttons and values. */
export const Guide = ({ text, label }: { readonly text: string; readonly label: string }) => (
  <section aria-label={label}>
    <p class="setup-guide">{partsOf(text).map(rendered)}</p>
  </section>
)

function rendered(part: GuidePart): ComponentChildren {
  const { text } = part
  switch (part.kind) {
    case 'link':
      return (
        <a href={part.href} target="_blank" rel="noreferrer">
          {text}
        </a>
      )
    case 'strong':
      return <strong>{text}</strong>
    case 'code':
      return <code>{text}</code>
    case 'text':
      return text
  }
}
