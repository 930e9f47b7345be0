import { toolResult, type Tool, type ToolCall, type ToolOutput } from '@mynah/plugin-ai/api'
import { inLanguages, type Locale } from '@mynah/plugin-chat/api'
import { bracketed } from '../prompt/speakers.js'
import type { Entry, ResultPart, UserPart } from '../session/types.js'

/** Tools that act by others, with the rights of the user. */
const DELEGATING: ReadonlySet<string> = new Set(['spawn_task', 'run_deferred_task'])
const MAX_INPUT = 400

const textsFor = inLanguages({
  en: {
    strangers: (name: string, input: string) =>
      `Others have spoken here too, so I ask you first: shall I run ${name} with ${input}?`,
    outside: (name: string, input: string) =>
      `I have read text from outside, so I ask you first: shall I run ${name} with ${input}?`,
    yes: 'yes',
    no: 'no',
  },
  'zh-CN': {
    strangers: (name: string, input: string) => `这里还有其他人发言，所以先问你：要我运行 ${name}（${input}）吗？`,
    outside: (name: string, input: string) => `我读了外部的内容，所以先问你：要我运行 ${name}（${input}）吗？`,
    yes: '是',
    no: '否',
  },
})

/** Returns whether a conversation has words of people without a role, or a summary that may have them. */
export const hasStrangers = (path: readonly Entry[]): boolean =>
  path.some(({ kind, meta }) => kind === 'summary' || meta.strangers === true)

/** The mark of text from outside, except what the host has kept itself. */
const OUTSIDE = /<outside \w+ from="(?!memory")/

/**
 * Returns whether the newest words of the user are followed by results of tools with text from outside, such as a page,
 * or came with a document.
 */
export function hasOutsideText(path: readonly Entry[]): boolean {
  for (const entry of path.toReversed()) {
    if (entry.kind !== 'message') continue
    // Notes of the host are entries of the user without words.
    if (entry.role === 'user' && entry.meta.said !== undefined) return entry.content.some(isDocument)
    if (entry.role === 'tool' && entry.content.some(({ output }) => textsOf(output).some((text) => OUTSIDE.test(text))))
      return true
  }
  return false
}

const isDocument = (part: UserPart): boolean =>
  'isDocument' in part || (part.type === 'media' && part.text !== undefined)

const textsOf = (output: ResultPart['output']): readonly string[] =>
  typeof output === 'string' ? [output] : output.flatMap((part) => (part.type === 'text' ? [part.text] : []))

/** Returns whether a tool does what only known people may have done. */
export const needsConsent = (tool: Tool, isForKnown: boolean): boolean => isForKnown || DELEGATING.has(tool.name)

export interface Consent {
  readonly locale: Locale | undefined
  /** The reason to ask. */
  readonly why: 'strangers' | 'outside'
  /** Is called when the user agrees. */
  readonly onYes?: () => void
}

/** Returns the tool such that it asks the user before it runs. The model cannot answer in his place. */
export function withConsent(tool: Tool, { locale, why, onYes }: Consent): Tool {
  const texts = textsFor(locale)
  const run = async (input: never, call: ToolCall): Promise<ToolOutput> => {
    const question = texts[why](tool.name, bracketed(JSON.stringify(input), MAX_INPUT))
    const answer = await call.ask(question, { choices: [texts.yes, texts.no] })
    if (answer.trim().toLowerCase() !== texts.yes) return toolResult('The user does not want this.', { isError: true })
    onYes?.()
    return tool.run(input, call)
  }
  return Object.create(tool, { run: { value: run, enumerable: true } }) as Tool
}
