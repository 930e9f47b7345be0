import { wrapped, type Origin } from '@mynah/plugin-ai/api'
import type { PromptContext, PromptSection, SectionSources } from '@mynah/plugin-agent/api'
import { BOOTSTRAP_FILES, bootstrapSection, memoryBudget, sectionOf, tailOf } from './bootstrap.js'
import { dayOf, MEMORY, type Notes } from './notes.js'
import { profileKey, type Profiles } from './profiles.js'
import type { SentSections } from './sent-sections.js'

const NOTES_BYTES = 4 * 1024
const TITLES = { 'SOUL.md': 'Your character', 'AGENTS.md': 'How you work', 'TOOLS.md': 'Rules of tools' } as const

/** Names the file of a section if it exists. */
const sourceOf = (file: string, found: unknown): SectionSources => (found === undefined ? {} : { files: [file] })

interface SectionParts {
  /** Returns the folder of an agent's bootstrap files. */
  readonly folder: (of?: Pick<Origin, 'agent'>) => string
  readonly notes: (of: Pick<Origin, 'agent'>) => Notes
  /** Returns the agent whose memory an agent uses; `undefined` is `main`. */
  readonly memoryOf: (agent: string | undefined) => string | undefined
  readonly profiles: Profiles
  readonly sent: SentSections
  readonly forAll: () => boolean
  readonly now: () => number
}

/** Creates the prompt sections of bootstrap files, memory, profile and notes. */
export function sections({ folder, notes, memoryOf, profiles, sent, forAll, now }: SectionParts): PromptSection[] {
  const mayRead = ({ isOwnersChat }: PromptContext): boolean => isOwnersChat || forAll()
  return [
    ...BOOTSTRAP_FILES.map((file, index): PromptSection => ({
      id: `bootstrap.${file}`,
      position: 'system',
      order: 720 + index,
      title: TITLES[file],
      render: ({ origin }) => bootstrapSection(folder(origin), file),
      sources: async () => sourceOf(file, await bootstrapSection(folder(), file)),
    })),
    {
      id: 'memory',
      position: 'system',
      order: 700,
      title: 'Memory',
      async render(context) {
        return mayRead(context)
          ? sectionOf(MEMORY, await notes(context.origin).memory(), await memoryBudget(folder(context.origin)), tailOf)
          : undefined
      },
      sources: async () => sourceOf(MEMORY, await notes({}).memory()),
    },
    {
      id: 'profile',
      position: 'preamble',
      order: 710,
      title: 'Facts that the user gave about themselves',
      async render({ origin, session }) {
        const person = profileKey(origin, memoryOf(origin.agent))
        if (person === undefined) return undefined
        const text = [...(await profiles.get(person))].map(([name, value]) => `${name}: ${value}`).join('\n')
        const changed = sent.changed(session, `profile ${person}`, text)
        // A fixed nonce keeps requests with the same text equal, so that prompt caches match.
        return changed && wrapped(changed, 'user profile', 'profile')
      },
    },
    {
      id: 'notes',
      position: 'preamble',
      order: 720,
      title: 'Notes of today',
      async render(context) {
        if (!mayRead(context)) return undefined
        const section = sectionOf(`${dayOf(now())}.md`, await notes(context.origin).today(now()), NOTES_BYTES, tailOf)
        const changed = sent.changed(context.session, 'notes', section?.text ?? '')
        return section && changed ? { ...section, text: wrapped(changed, `notes ${dayOf(now())}`, 'notes') } : undefined
      },
    },
  ]
}
