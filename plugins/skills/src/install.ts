// The tool `install_skill`: a skill from an address, written when a master has seen what it is and confirmed exactly that.
import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Type } from '@mynah/contract/type'
import { writeFileAtomically } from '@mynah/kernel/files'
import { defineTool, toolResult, type Tool, type Web } from '@mynah/plugin-ai/api'
import { Malformed, MAX_BYTES } from './front-matter.js'
import { parseSkill, type Skill } from './skill.js'

const SHOWN = 400

interface Deps {
  readonly web: () => Web | undefined
  /** The folder of skills. */
  readonly folder: () => string
  /** The skill of that name that is there, with its file. */
  readonly known: (name: string) => { readonly path: string } | undefined
  /** The file is there: read it. */
  readonly written: (path: string) => Promise<void>
}

export function installSkill({ web, folder, known, written }: Deps): Tool {
  const failed = (text: string) => toolResult(text, { isError: true })
  return defineTool({
    name: 'install_skill',
    description: 'Installs a skill from the address of its SKILL.md, after the owner has confirmed it.',
    requiredAnyRole: ['master'],
    effect: 'repeatable',
    keywords: ['skill', 'install', 'download', '技能', '安装'],
    parameters: Type.Object({ url: Type.String({ minLength: 1, maxLength: 4_096 }) }),
    async run({ url }, call) {
      if (call.subagent) return failed('A sub-agent installs nothing.')
      const door = web()
      if (!door) return failed('The web cannot be reached: the plugin ai is not ready.')
      const response = await door.fetch(url, {
        timeout: 30_000,
        maxBytes: MAX_BYTES,
        redirects: 5,
        signal: call.signal,
      })
      if (response.status !== 200) return failed(`The address answered ${response.status}.`)
      const text = response.text()
      let skill: Skill
      try {
        skill = parseSkill(text)
      } catch (error) {
        if (error instanceof Malformed) return failed(`That is no skill: ${error.message}`)
        throw error
      }
      const hash = createHash('sha256').update(text).digest('hex')
      const before = known(skill.name)
      // The answer names the bytes: what is confirmed is what is written, also where the file is fetched again after a start.
      const yes = `Install ${hash.slice(0, 16)}`
      const answer = await call.ask(
        [
          `${before ? 'Replace' : 'Install'} the skill "${skill.name}" from ${response.url}?`,
          `SHA-256 ${hash}, ${Buffer.byteLength(text)} bytes`,
          skill.description.slice(0, SHOWN),
          '',
          skill.body.slice(0, SHOWN),
        ].join('\n'),
        { choices: [yes, 'No'] },
      )
      if (answer !== yes) return failed('It was not confirmed; nothing is installed.')
      const path = before?.path ?? join(folder(), skill.name, 'SKILL.md')
      await mkdir(dirname(path), { recursive: true })
      await writeFileAtomically(path, text)
      await written(path)
      return `The skill "${skill.name}" is installed; activate_skill gives its instructions.`
    },
  })
}
