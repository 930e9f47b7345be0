// What the prompt is told: bootstrap files and memory in the head, the profile and the day's notes where they have changed.
import { wrapped } from '@mynah/plugin-ai/api'
import type { PromptContext, PromptSection, SectionSources } from '@mynah/plugin-agent/api'
import { BOOTSTRAP, bootstrapSection, memoryRoom, sectionOf, tailOf } from './bootstrap.js'
import { dayOf, MEMORY, type Notes } from './notes.js'
import { personOf, type Profiles } from './profiles.js'
import type { Told } from './told.js'

const NOTES_BYTES = 4 * 1024
const TITLES = { 'SOUL.md': 'Who you are', 'AGENTS.md': 'How you work', 'TOOLS.md': 'Rules of tools' } as const

/** A file that there is. */
const named = (file: string, found: unknown): SectionSources => (found === undefined ? {} : { files: [file] })

interface Deps {
  readonly folder: () => string
  readonly notes: Notes
  readonly profiles: Profiles
  readonly told: Told
  readonly forAll: () => boolean
  readonly now: () => number
}

export function sections({ folder, notes, profiles, told, forAll, now }: Deps): PromptSection[] {
  const mayRead = ({ isOwnersChat }: PromptContext): boolean => isOwnersChat || forAll()
  return [
    ...BOOTSTRAP.map((file, index): PromptSection => ({
      id: `bootstrap.${file}`,
      position: 'system',
      order: 720 + index,
      title: TITLES[file],
      render: () => bootstrapSection(folder(), file),
      sources: async () => named(file, await bootstrapSection(folder(), file)),
    })),
    {
      id: 'memory',
      position: 'system',
      order: 700,
      title: 'Memory',
      async render(context) {
        return mayRead(context)
          ? sectionOf(MEMORY, await notes.memory(), await memoryRoom(folder()), tailOf)
          : undefined
      },
      sources: async () => named(MEMORY, await notes.memory()),
    },
    {
      id: 'profile',
      position: 'preamble',
      order: 710,
      title: 'What the user told of themselves',
      async render({ origin, session }) {
        const person = personOf(origin)
        if (person === undefined) return undefined
        const text = [...(await profiles.get(person))].map(([name, value]) => `${name}: ${value}`).join('\n')
        const news = told.news(session, `profile ${person}`, text)
        // The nonce is the same for the same text: a request is a function of the path.
        return news && wrapped(news, 'user profile', 'profile')
      },
    },
    {
      id: 'notes',
      position: 'preamble',
      order: 720,
      title: 'Notes of today',
      async render(context) {
        if (!mayRead(context)) return undefined
        const section = sectionOf(`${dayOf(now())}.md`, await notes.today(now()), NOTES_BYTES, tailOf)
        const news = told.news(context.session, 'notes', section?.text ?? '')
        return section && news ? { ...section, text: wrapped(news, `notes ${dayOf(now())}`, 'notes') } : undefined
      },
    },
  ]
}
