import { omitUndefined } from '@mynah/kernel/util'
import type { AgentPreset } from '@mynah/plugin-agent/api'
import { frontMatter, listField, Malformed, textField } from './front-matter.js'

/** Parses an agent file: its header and its system text. @throws Malformed */
export function parsePreset(text: string): AgentPreset {
  const { fields, body } = frontMatter(text)
  const { model, maxIterations } = fields
  const tools = listField(fields, 'tools')
  if (model !== undefined && (typeof model !== 'string' || model === ''))
    throw new Malformed('model: `model` or `alias:model` is expected')
  if (
    maxIterations !== undefined &&
    (!Number.isInteger(maxIterations) || (maxIterations as number) < 1 || (maxIterations as number) > 200)
  )
    throw new Malformed('maxIterations: a whole number from 1 to 200')
  if (body === '') throw new Malformed('there is no system text below the header')
  return omitUndefined({
    name: textField(fields, 'name', 64),
    description: textField(fields, 'description', 1_024),
    tools,
    model: model as string | undefined,
    maxIterations: maxIterations as number | undefined,
    prompt: body,
  })
}
