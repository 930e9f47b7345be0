import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Type } from '@mynah/contract/type'
import type { Ref } from '@mynah/kernel'
import { writeFileAtomically } from '@mynah/kernel/files'
import { defineTool, isLeft, toolResult, type Tool, type ToolCall, type Web } from '@mynah/plugin-ai/api'
import { askedBy, type Approvals } from '@mynah/plugin-exec-security/api'
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

/**
 * Creates the tool that installs a skill after the owner has approved its content. Without a service for approvals the
 * master who asks is asked.
 */
export function installSkill(web: Ref<Web>, approvals: Ref<Approvals>, folder: SkillFolder): Tool {
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
      const source = response.text()
      let skill: Skill
      try {
        skill = parseSkill(source)
      } catch (error) {
        if (error instanceof Malformed) return failed(`That is no skill: ${error.message}`)
        throw error
      }
      const hash = createHash('sha256').update(source).digest('hex')
      const installed = folder.find(skill.name)
      const title = `${installed ? 'Replace' : 'Install'} the skill "${skill.name}" from ${response.url}`
      // The hash binds the answer to exactly these bytes, even when a restart fetches them again.
      const text = [
        `SHA-256 ${hash}, ${Buffer.byteLength(source)} bytes`,
        skill.description.slice(0, MAX_SHOWN),
        '',
        skill.body.slice(0, MAX_SHOWN),
      ].join('\n')
      const owner = approvals.current
      const isConfirmed = owner
        ? await approvedByOwner(owner, call, title, text)
        : (await call.ask(`${title}?\n${text}`, { choices: [confirmationOf(hash), 'No'] })) === confirmationOf(hash)
      if (!isConfirmed) return failed('It was not confirmed; nothing is installed.')
      const path = installed ?? join(folder.path, skill.name, 'SKILL.md')
      await mkdir(dirname(path), { recursive: true })
      await writeFileAtomically(path, source)
      await folder.reload(path)
      return `The skill "${skill.name}" is installed; activate_skill gives its instructions.`
    },
  })
}

const confirmationOf = (hash: string): string => `Install ${hash.slice(0, 16)}`

/** Waits until the owner has approved exactly this text. */
async function approvedByOwner(approvals: Approvals, call: ToolCall, title: string, text: string): Promise<boolean> {
  const origin = askedBy(call.origin)
  const asker = { turn: call.turn, call: call.id }
  const reason = 'a skill tells the agent what to do'
  const request = { kind: 'skill', title, text, origin, reason, asker } as const
  // The wait is recorded before the request is made. After a stop, the call is known to have done nothing.
  const end = await call.wait('approval', await approvals.idFor(request), async (signal) => {
    const { id } = await approvals.request(request)
    return approvals.wait(id, signal).catch(async (error: unknown) => {
      if (!isLeft(signal.reason)) await approvals.withdraw(id)
      throw error
    })
  })
  return end === 'approved' && (await approvals.use('skill', text, origin))
}
