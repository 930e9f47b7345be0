import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Type } from '@mynah/contract/type'
import type { Ref } from '@mynah/kernel'
import { writeFileAtomically } from '@mynah/kernel/files'
import { defineTool, toolResult, type Tool, type Web } from '@mynah/plugin-ai/api'
import { Malformed, MAX_BYTES } from './front-matter.js'
import { parseSkill, type Skill } from './skill.js'

/** Characters of description and body that are shown for confirmation. */
const MAX_SHOWN = 400

/** The installed skills, as the installer sees them. */
interface SkillFolder {
  readonly path: string
  /** Returns the file of an installed skill. */
  find(name: string): string | undefined
  /** Reads a file after it was written. */
  reload(path: string): Promise<void>
}

/** Creates the tool that installs a skill after a master has confirmed its content. */
export function installSkill(web: Ref<Web>, folder: SkillFolder): Tool {
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
      const service = web.current
      if (!service) return failed('The web cannot be reached: the plugin ai is not ready.')
      const response = await service.fetch(url, {
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
      const installed = folder.find(skill.name)
      // The choice contains the hash, so that exactly the confirmed content is written,
      // even when a restart fetches it again.
      const confirmation = `Install ${hash.slice(0, 16)}`
      const answer = await call.ask(
        [
          `${installed ? 'Replace' : 'Install'} the skill "${skill.name}" from ${response.url}?`,
          `SHA-256 ${hash}, ${Buffer.byteLength(text)} bytes`,
          skill.description.slice(0, MAX_SHOWN),
          '',
          skill.body.slice(0, MAX_SHOWN),
        ].join('\n'),
        { choices: [confirmation, 'No'] },
      )
      if (answer !== confirmation) return failed('It was not confirmed; nothing is installed.')
      const path = installed ?? join(folder.path, skill.name, 'SKILL.md')
      await mkdir(dirname(path), { recursive: true })
      await writeFileAtomically(path, text)
      await folder.reload(path)
      return `The skill "${skill.name}" is installed; activate_skill gives its instructions.`
    },
  })
}
