import { closestMatch } from '@mynah/kernel'
import { takesThinking, THINKING_LEVELS, type ThinkingLevel } from '@mynah/plugin-ai/api'
import { defineCommand, param, type Command, type Message } from '@mynah/plugin-chat/api'
import type { Session, SessionChoice } from '../session/types.js'
import { agentByName, namedModel, type SelectedAgent } from '../turn/agent-selection.js'
import { chosenCandidate, listedFor, mayChoose, referenceOf } from '../turn/model-choice.js'
import { agentParam, both, MAIN, mayLook, mayManage, namedAgent, sessionOf, type CommandServices } from './access.js'
import { commandTextsFor, type CommandTexts } from './texts.js'

/** Models that an answer lists. */
const MAX_LISTED = 20
/** The word that takes a choice back. */
const DEFAULT = 'default'

/** Returns the commands that choose what answers in a conversation. */
export const modelCommands = (services: CommandServices): Command[] => [model(services), think(services)]

const model = (services: CommandServices): Command =>
  defineCommand({
    name: 'model',
    description: both('Shows or chooses the model of this conversation', '显示或选择本次对话的模型'),
    repeatable: true,
    args: {
      name: param.string({
        optional: true,
        description: both('a model, or `default` for the one of the agent', '模型名称；`default` 恢复智能体自己的模型'),
      }),
      agent: agentParam(),
    },
    async run({ args, message }) {
      const texts = commandTextsFor(message.locale)
      const agent = agentOf(services, message, args.agent)
      if (!agent) return texts.noAgent
      if (args.name === undefined) return currentModel(services, agent, message)
      const refusal = refusalOf(agent, message, texts)
      if (refusal !== undefined) return refusal
      const own = await ownModel(services, agent)
      const found = await findModel(services, { agent, message, name: args.name, own })
      if (args.name.toLowerCase() === DEFAULT || (found.chosen !== undefined && found.chosen === own)) {
        const isDone = await choose(services, agent, message, { model: null })
        return isDone ? texts.model.ownAgain(own) : texts.meanwhile
      }
      if (!services.runtime.models) return texts.noModel
      if (found.chosen === undefined) return texts.model.unknown(found.meant)
      return (await choose(services, agent, message, { model: found.chosen }))
        ? texts.model.chosen(found.chosen)
        : texts.meanwhile
    },
  })

const think = (services: CommandServices): Command =>
  defineCommand({
    name: 'think',
    description: both('Shows or chooses how much the model thinks here', '显示或选择模型在此思考的程度'),
    repeatable: true,
    args: {
      level: param.choice([...THINKING_LEVELS, DEFAULT], {
        optional: true,
        description: both('how much; `default` is as it is configured', '程度；`default` 恢复配置的设置'),
      }),
      agent: agentParam(),
    },
    async run({ args, message }) {
      const texts = commandTextsFor(message.locale)
      const agent = agentOf(services, message, args.agent)
      if (!agent) return texts.noAgent
      const { level } = args
      if (level === undefined) {
        if (!mayLook(services, message)) return texts.refusal
        return texts.model.thinks((await sessionOf(services, message, agent.name))?.thinking ?? undefined)
      }
      const refusal = refusalOf(agent, message, texts)
      if (refusal !== undefined) return refusal
      const thinking = level === DEFAULT ? null : (level as ThinkingLevel)
      if (!(await choose(services, agent, message, { thinking }))) return texts.meanwhile
      const session = await sessionOf(services, message, agent.name)
      const answering = await answeringModel(services, agent, session)
      const isIgnored = thinking !== null && answering !== undefined && !takes(services, answering)
      return [
        texts.model.thinks(thinking ?? undefined),
        ...(isIgnored ? [texts.model.noThinking(answering)] : []),
      ].join('\n')
    },
  })

/** Returns the agent that a command is about, or `undefined` for an unknown name. */
function agentOf(services: CommandServices, message: Message, named: string | undefined): SelectedAgent | undefined {
  const { config, presets } = services.runtime
  const name = namedAgent(services, message, named)
  return name === undefined ? undefined : agentByName(name, config, presets)
}

/** Returns why the sender may not choose here, or `undefined`. */
function refusalOf(agent: SelectedAgent, message: Message, texts: CommandTexts): string | undefined {
  if (!mayManage(message)) return texts.refusal
  return mayChoose(agent, message.roles) ? undefined : texts.model.mastersOnly
}

/** Stores a choice. A conversation that has not begun begins with it. */
async function choose(
  { turns, runtime }: CommandServices,
  { name }: SelectedAgent,
  message: Message,
  choice: SessionChoice,
): Promise<boolean> {
  const session = await turns.openFor(message, name === MAIN ? undefined : name)
  const isDone = await runtime.store.choose(session.id, choice)
  if (isDone) runtime.events.emit('sessionChosen', session)
  return isDone
}

async function currentModel(services: CommandServices, agent: SelectedAgent, message: Message): Promise<string> {
  const texts = commandTextsFor(message.locale)
  if (!mayLook(services, message)) return texts.refusal
  const session = await sessionOf(services, message, agent.name)
  const now = session?.model ? texts.model.isChosen(session.model) : texts.model.isOwn(await ownModel(services, agent))
  const usable = mayManage(message) ? await usableModels(services, agent, message.roles) : []
  return usable.length
    ? `${now}\n${texts.model.usable(usable.slice(0, MAX_LISTED), Math.max(0, usable.length - MAX_LISTED))}`
    : `${now}\n${texts.model.mastersOnly}`
}

/** Returns the model that the agent itself asks first, or `undefined` where there is none. */
async function ownModel({ runtime }: CommandServices, agent: SelectedAgent): Promise<string | undefined> {
  const { provider, model: named } = namedModel(agent)
  if (provider !== undefined && named !== undefined) return `${provider}:${named}`
  // Without a model that can be asked there is none to name.
  const [best] = runtime.models ? await runtime.candidatesFor(agent.name).catch(() => []) : []
  return best && referenceOf(best)
}

async function answeringModel(
  services: CommandServices,
  agent: SelectedAgent,
  session: Session | undefined,
): Promise<string | undefined> {
  return session?.model ?? ownModel(services, agent)
}

/** Returns whether requests to a model can say how much it thinks. */
function takes({ runtime }: CommandServices, reference: string): boolean {
  const colon = reference.indexOf(':')
  const alias = reference.slice(0, colon)
  const id = reference.slice(colon + 1)
  const provider = runtime.models?.list().find((each) => each.alias === alias)
  const thinks = provider?.models.find((each) => each.id === id)?.capabilities.thinking
  return provider !== undefined && takesThinking(provider.sdk, id, thinks)
}

/** Returns the configured models that the sender may choose: those listed for him, for a master all that can chat. */
async function usableModels(
  { runtime }: CommandServices,
  agent: SelectedAgent,
  roles: ReadonlySet<string>,
): Promise<readonly string[]> {
  const { models, signal } = runtime
  if (!models) return []
  const listed: string[] = []
  for (const each of listedFor(agent, roles)) if (await chosenCandidate(models, each, signal)) listed.push(each)
  if (!roles.has('master')) return listed
  const known = models
    .list()
    .flatMap(({ alias, models: all }) => all.filter(({ score }) => score > 0).map(({ id }) => `${alias}:${id}`))
  return [...new Set([...listed, ...known])]
}

interface Wanted {
  readonly agent: SelectedAgent
  readonly message: Message
  readonly name: string
  /** The model of the agent itself, which everybody may name who may choose at all. */
  readonly own: string | undefined
}

/** Returns the model that a name means, or the nearest name among those that the sender may choose. */
async function findModel(
  services: CommandServices,
  { agent, message: { roles }, name, own }: Wanted,
): Promise<{ readonly chosen?: string; readonly meant?: string | undefined }> {
  const { models, signal } = services.runtime
  const usable = [...(own === undefined ? [] : [own]), ...(await usableModels(services, agent, roles))]
  const wanted = name.toLowerCase()
  const idOf = (reference: string): string => reference.slice(reference.indexOf(':') + 1)
  const found =
    usable.find((each) => each === name) ??
    usable.find((each) => each.toLowerCase() === wanted) ??
    usable.find((each) => idOf(each).toLowerCase() === wanted)
  if (found !== undefined) return { chosen: found }
  // A provider whose models are not known yet may have it.
  if (models && roles.has('master') && (await chosenCandidate(models, name, signal))) return { chosen: name }
  const names = new Map(usable.flatMap((each) => [[each, each] as const, [idOf(each), each] as const]))
  const near = closestMatch(name.slice(0, 100), names.keys())
  return { meant: near === undefined ? undefined : names.get(near) }
}
