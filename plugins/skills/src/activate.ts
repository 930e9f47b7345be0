import { Type } from '@mynah/contract/type'
import type { Ref } from '@mynah/kernel'
import type { Agent } from '@mynah/plugin-agent/api'
import { defineTool, toolResult, type Tool } from '@mynah/plugin-ai/api'
import { matchingSkills } from './sections.js'
import { instructions, type Skill } from './skill.js'

/** Characters of instructions when the model of the turn is unknown. */
const DEFAULT_MAX_CHARS = 8_000
const MAX_SUGGESTIONS = 5

/** Creates the tool that returns the instructions of a skill. */
export function activateSkill(skills: () => readonly Skill[], agent: Ref<Agent>): Tool {
  return defineTool({
    name: 'activate_skill',
    description: 'Gives the instructions of a skill.',
    effect: 'read',
    keywords: ['skill', '技能'],
    parameters: Type.Object({ name: Type.String({ minLength: 1, maxLength: 64 }) }),
    run({ name }, { turn }) {
      const all = skills()
      const skill =
        all.find((one) => one.name === name) ?? all.find((one) => one.name.toLowerCase() === name.toLowerCase())
      if (!skill) {
        const similar = matchingSkills(all, name).slice(0, MAX_SUGGESTIONS)
        const hint = similar.length ? ` Like it: ${similar.map((one) => one.name).join(', ')}.` : ''
        return toolResult(`There is no skill "${name}".${hint}`, { isError: true })
      }
      const facts = agent.current?.facts(turn)
      return instructions(skill, facts?.size ?? 'large', facts?.skillInstructionMaxChars ?? DEFAULT_MAX_CHARS)
    },
  })
}
