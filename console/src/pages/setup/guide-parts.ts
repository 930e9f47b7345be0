export type GuidePart =
  | { readonly kind: 'text' | 'strong' | 'code'; readonly text: string }
  /** A link to a page, by https. */
  | { readonly kind: 'link'; readonly text: string; readonly href: string }

const MARKED =
  /\[([^\]\n]{1,200})\]\((https:\/\/[^\s()]{1,500})\)|\*\*([^*\n]{1,200})\*\*|\*([^*\n]{1,200})\*|`([^`\n]{1,200})`/g

/** Returns the parts of a guide in Markdown. Lists and line breaks stay as they are written. */
export function partsOf(guide: string): GuidePart[] {
  const parts: GuidePart[] = []
  let at = 0
  for (const match of guide.matchAll(MARKED)) {
    if (match.index > at) parts.push({ kind: 'text', text: guide.slice(at, match.index) })
    at = match.index + match[0].length
    const [, label, href, strong, emphasis, code = ''] = match
    if (label !== undefined && href !== undefined) parts.push({ kind: 'link', text: label, href })
    else if (strong !== undefined) parts.push({ kind: 'strong', text: strong })
    else if (emphasis !== undefined) parts.push({ kind: 'strong', text: emphasis })
    else parts.push({ kind: 'code', text: code })
  }
  if (at < guide.length) parts.push({ kind: 'text', text: guide.slice(at) })
  return parts
}
