// What the prompt is told of skills: names and descriptions of those that fit, in the head; later ones when they fit what is said.
import { rankByTerms, searchTerms, type PromptContext, type PromptSection } from '@mynah/plugin-agent/api'
import type { Skill } from './skill.js'

const SESSIONS = 2_000
const DESCRIPTION = 300

const line = ({ name, description }: Skill): string => `- ${name}: ${description.slice(0, DESCRIPTION)}`
const byName = (a: Skill, b: Skill): number => (a.name < b.name ? -1 : 1)

/** Skills by how well they fit a text, best first. */
export const fitting = (skills: readonly Skill[], text: string): Skill[] =>
  rankByTerms([...skills].sort(byName), text, ({ name, description, keywords }) =>
    searchTerms(
      `${name.replaceAll('-', ' ')} ${name.replaceAll('-', ' ')} ${keywords.join(' ')} ${keywords.join(' ')} ${description}`,
    ),
  )

export function skillSections(skills: () => readonly Skill[]): {
  readonly sections: readonly PromptSection[]
  readonly forget: (session: string) => void
} {
  /** Skills of which a session was told. */
  const told = new Map<string, Set<string>>()
  const tell = (session: string, some: readonly Skill[]): void => {
    const known = told.get(session) ?? new Set<string>()
    for (const { name } of some) known.add(name)
    told.delete(session)
    told.set(session, known)
    if (told.size > SESSIONS) told.delete(told.keys().next().value as string)
  }
  const head = ({ text, session, maxSkills }: PromptContext): string | undefined => {
    const all = skills()
    const fit = fitting(all, text)
    const chosen = [...fit, ...all.filter((skill) => !fit.includes(skill)).sort(byName)]
      .slice(0, maxSkills)
      .sort(byName)
    told.delete(session)
    tell(session, chosen)
    return chosen.length
      ? `Before a task that one of these fits, call activate_skill with its name and follow what it gives.\n${chosen.map(line).join('\n')}`
      : undefined
  }
  const news = ({ text, session, maxSkills }: PromptContext): string | undefined => {
    const known = told.get(session)
    const chosen = fitting(skills(), text)
      .slice(0, maxSkills)
      .filter(({ name }) => !known?.has(name))
    tell(session, chosen)
    return chosen.length ? `activate_skill also has:\n${chosen.map(line).join('\n')}` : undefined
  }
  return {
    sections: [
      {
        id: 'skills',
        position: 'system',
        order: 600,
        title: 'Skills',
        render: head,
        sources: () => ({
          skills: skills()
            .map(({ name }) => name)
            .sort(),
        }),
      },
      { id: 'skills.news', position: 'preamble', order: 600, title: 'Skills', render: news },
    ],
    forget: (session) => void told.delete(session),
  }
}
