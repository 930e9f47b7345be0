import { toolResult, type Tool, type ToolCall, type ToolOutput } from '@mynah/plugin-ai/api'
import { inLanguages, type Locale } from '@mynah/plugin-chat/api'
import { bracketed } from '../prompt/speakers.js'
import type { Entry } from '../session/types.js'

/** Tools that act by others, with the rights of the user. */
const DELEGATING: ReadonlySet<string> = new Set(['spawn_task', 'run_deferred_task'])
const MAX_INPUT = 400

const textsFor = inLanguages({
  en: {
    question: (name: string, input: string) =>
      `Others have spoken here too, so I ask you first: shall I run ${name} with ${input}?`,
    yes: 'yes',
    no: 'no',
  },
  'zh-CN': {
    question: (name: string, input: string) => `这里还有其他人发言，所以先问你：要我运行 ${name}（${input}）吗？`,
    yes: '是',
    no: '否',
  },
})

/** Returns whether a conversation has words of people without a role, or a summary that may have them. */
export const hasStrangers = (path: readonly Entry[]): boolean =>
  path.some(({ kind, meta }) => kind === 'summary' || meta.strangers === true)

/** Returns whether a tool does what only known people may have done. */
export const needsConsent = (tool: Tool, requiredRoles: readonly string[] | undefined): boolean =>
  requiredRoles !== undefined || DELEGATING.has(tool.name)

/** Returns the tool such that it asks the user before it runs. The model cannot answer in his place. */
export function withConsent(tool: Tool, locale: Locale | undefined): Tool {
  const texts = textsFor(locale)
  const run = async (input: never, call: ToolCall): Promise<ToolOutput> => {
    const question = texts.question(tool.name, bracketed(JSON.stringify(input), MAX_INPUT))
    const answer = await call.ask(question, { choices: [texts.yes, texts.no] })
    return answer.trim().toLowerCase() === texts.yes
      ? tool.run(input, call)
      : toolResult('The user does not want this.', { isError: true })
  }
  return Object.create(tool, { run: { value: run, enumerable: true } }) as Tool
}
