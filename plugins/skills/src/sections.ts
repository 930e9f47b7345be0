import { LruMap } from '@mynah/kernel/util'
import { rankByTerms, searchTerms, type PromptContext, type PromptSection } from '@mynah/plugin-agent/api'
import type { Skill } from './skill.js'

const MAX_SESSIONS = 2_000
const MAX_DESCRIPTION = 300

const line = ({ name, description }: Skill): string => `- ${name}: ${description.slice(0, MAX_DESCRIPTION)}`
const byName = (a: Skill, b: Skill): number => (a.name < b.name ? -1 : 1)

/** Returns the words by which a skill is found. Name and keywords count twice. */
function skillTerms({ name, description, keywords }: Skill) {
  const words = `${name.replaceAll('-', ' ')} ${keywords.join(' ')}`
  return searchTerms(`${words} ${words} ${description}`)
}

/** Returns the skills that match a text, best first. */
export const matchingSkills = (skills: readonly Skill[], text: string): Skill[] =>
  rankByTerms([...skills].sort(byName), text, skillTerms)

/** The prompt sections that list skills: matching ones in the system prompt, new matches in the preamble. */
export class SkillSections {
  readonly sections: readonly PromptSection[]
  readonly #skills: () => readonly Skill[]
  /** Names of the skills that were listed to each session. */
  readonly #listed = new LruMap<string, Set<string>>(MAX_SESSIONS)

  constructor(skills: () => readonly Skill[]) {
    this.#skills = skills
    this.sections = [
      {
        id: 'skills',
        position: 'system',
        order: 600,
        title: 'Skills',
        render: (context) => this.#systemText(context),
        sources: () => ({
          skills: skills()
            .map(({ name }) => name)
            .sort(),
        }),
      },
      {
        id: 'skills.news',
        position: 'preamble',
        order: 600,
        title: 'Skills',
        render: (context) => this.#preambleText(context),
      },
    ]
  }

  /** Forgets which skills were listed to a session. */
  forget(session: string): void {
    this.#listed.delete(session)
  }

  #systemText({ text, session, maxSkills }: PromptContext): string | undefined {
    const all = this.#skills()
    const matches = matchingSkills(all, text)
    const others = all.filter((skill) => !matches.includes(skill)).sort(byName)
    const chosen = [...matches, ...others].slice(0, maxSkills).sort(byName)
    this.#listed.delete(session)
    this.#markListed(session, chosen)
    if (chosen.length === 0) return undefined
    const intro = 'Before a task that one of these fits, call activate_skill with its name and follow what it gives.'
    return `${intro}\n${chosen.map(line).join('\n')}`
  }

  #preambleText({ text, session, maxSkills }: PromptContext): string | undefined {
    const listed = this.#listed.peek(session)
    const chosen = matchingSkills(this.#skills(), text)
      .slice(0, maxSkills)
      .filter(({ name }) => !listed?.has(name))
    this.#markListed(session, chosen)
    return chosen.length ? `activate_skill also has:\n${chosen.map(line).join('\n')}` : undefined
  }

  #markListed(session: string, skills: readonly Skill[]): void {
    const listed = this.#listed.getOrCreate(session, () => new Set())
    for (const { name } of skills) listed.add(name)
  }
}
