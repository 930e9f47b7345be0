import { SECOND_MS } from '@mynah/kernel/util'
import type { ModelView } from '@mynah/plugin-ai/api'
import { defineCommand, param, type Command } from '@mynah/plugin-chat/api'
import { both, OPERATORS, type CommandServices } from './access.js'
import { healthLines } from './health.js'
import { commandTextsFor, type CommandTexts } from './texts.js'

/** Models of a provider that are listed. */
const MAX_MODELS = 20

/** Returns the commands about the host. */
export const operatorCommands = (services: CommandServices): Command[] => [models(services), health(services)]

const models = ({ runtime }: CommandServices): Command =>
  defineCommand({
    name: 'models',
    description: both('Lists models', '列出模型'),
    requiredAnyRole: OPERATORS,
    args: { filter: param.string({ optional: true, description: both('part of a name', '名称的一部分') }) },
    run({ args, message }) {
      const texts = commandTextsFor(message.locale)
      const lines = (runtime.models?.list() ?? []).flatMap(({ alias, sdk, status, error, models: known }) => [
        `${alias} (${sdk}): ${texts.state(status)}${error ? `, ${runtime.host.redact(error)}` : ''}`,
        ...known
          .filter(({ id }) => !args.filter || `${alias}:${id}`.includes(args.filter))
          .slice(0, MAX_MODELS)
          .map((model) => modelLine(model, runtime.clock.now(), texts)),
      ])
      return lines.length ? lines.join('\n') : texts.noModel
    },
  })

function modelLine(
  { id, score, cooldownUntil, cooldownReason }: ModelView,
  now: number,
  { cooling }: CommandTexts,
): string {
  const line = `  ${id} ${Math.round(score)}`
  if (!cooldownUntil || cooldownUntil <= now) return line
  return `${line}, ${cooling(Math.ceil((cooldownUntil - now) / SECOND_MS), cooldownReason ?? '')}`
}

const health = (services: CommandServices): Command =>
  defineCommand({
    name: 'health',
    description: both('Shows what works and what does not', '显示健康状况'),
    requiredAnyRole: OPERATORS,
    run: async ({ message }) => (await healthLines(services, commandTextsFor(message.locale))).join('\n'),
  })
