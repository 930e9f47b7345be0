import { frontMatter, listField, Malformed, textField } from './front-matter.js'

/** Instructions for the agent, found by name, description and keywords. */
export interface Skill {
  readonly name: string
  readonly description: string
  readonly keywords: readonly string[]
  readonly body: string
}

const NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/i

/** Parses a SKILL.md. @throws Malformed */
export function parseSkill(text: string): Skill {
  const { fields, body } = frontMatter(text)
  const name = textField(fields, 'name', 64)
  if (!NAME.test(name)) throw new Malformed('name: letters, digits, "-" and "_", at most 64')
  if (body === '') throw new Malformed('there are no instructions below the header')
  return {
    name,
    description: textField(fields, 'description', 1_024).replace(/\s+/g, ' '),
    keywords: listField(fields, 'keywords') ?? [],
    body,
  }
}

const QUICK = /^## +quick actions *$/i

/** Returns the instructions, cut to `maxChars`. Small models get the section Quick Actions first. */
export function instructions({ body }: Skill, size: 'small' | 'medium' | 'large', maxChars: number): string {
  const text = size === 'small' ? quickFirst(body) : body
  if (text.length <= maxChars) return text
  const note = `\n[… cut: ${text.length} characters in all]`
  const room = Math.max(0, maxChars - note.length)
  const end = text.lastIndexOf('\n', room)
  // Never cut between two surrogates.
  return `${text.slice(0, end > room / 2 ? end : room).replace(/[\ud800-\udbff]$/, '')}${note}`
}

function quickFirst(body: string): string {
  const lines = body.split('\n')
  const begin = lines.findIndex((line) => QUICK.test(line))
  if (begin < 0) return body
  const next = lines.findIndex((line, index) => index > begin && /^#{1,2} /.test(line))
  const end = next < 0 ? lines.length : next
  return [...lines.slice(begin, end), ...lines.slice(0, begin), ...lines.slice(end)].join('\n').trim()
}
