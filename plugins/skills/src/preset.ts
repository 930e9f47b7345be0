// An agent that a file declares: its header, and the system text below it.
import type { AgentPreset } from '@mynah/plugin-agent/api'
import { frontMatter, listField, Malformed, textField } from './front-matter.js'

/** @throws Malformed */
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
  return {
    name: textField(fields, 'name', 64),
    description: textField(fields, 'description', 1_024),
    ...(tools ? { tools } : {}),
    ...(model === undefined ? {} : { model: model as string }),
    ...(maxIterations === undefined ? {} : { maxIterations: maxIterations as number }),
    prompt: body,
  }
}
