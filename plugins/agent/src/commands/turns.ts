import { DAY_MS, SECOND_MS } from '@mynah/kernel/util'
import { addUsage, NO_USAGE, type Origin } from '@mynah/plugin-ai/api'
import { defineCommand, param, type Command } from '@mynah/plugin-chat/api'
import { textsFor } from '../texts.js'
import {
  agentParam,
  both,
  isOperator,
  keysAt,
  mayLook,
  mayManage,
  namedAgent,
  sessionOf,
  type CommandServices,
} from './access.js'
import { commandTextsFor } from './texts.js'

/** Days that `/usage` adds up, today included. */
const USAGE_DAYS = 30

/** Returns the commands about running turns and what they use. */
export const turnCommands = (services: CommandServices): Command[] => [
  stop(services),
  answer(services),
  usage(services),
  status(services),
]

const stop = (services: CommandServices): Command =>
  defineCommand({
    name: 'stop',
    description: both('Stops what is being answered here', '停止正在进行的回答'),
    repeatable: true,
    async run({ message }) {
      const { turns } = services
      // After a restart the turns of before are still to be found.
      await turns.ready()
      const mayStop = ({ user }: Origin): boolean => mayManage(message) || user === message.sender.id
      // Whichever agent of this chat works on it.
      let stopped = { turns: 0, work: 0 }
      for (const key of keysAt(services, message)) {
        const session = await turns.sessions.active(key)
        const more = session && (await turns.stopSession(session, mayStop, message))
        if (more) stopped = { turns: stopped.turns + more.turns, work: stopped.work + more.work }
      }
      // A turn itself says that it was stopped.
      if (stopped.turns) return undefined
      return stopped.work ? textsFor(message.locale).stopped : commandTextsFor(message.locale).nothingToStop
    },
  })

/** Returns the command that a button sends. People answer in words. */
const answer = ({ turns }: CommandServices): Command =>
  defineCommand({
    name: 'answer',
    description: both('Answers a question of the agent', '回答智能体的问题'),
    hidden: true,
    repeatable: true,
    args: { question: param.string(), choice: param.integer({ min: 1, max: 100 }) },
    async run({ args, message }) {
      // The button may be of before a start, whose turns ask again as soon as they run.
      await turns.ready()
      const outcome = await turns.questions.answerByButton(message, args.question, args.choice)
      return outcome === 'over' ? textsFor(message.locale).over : undefined
    },
  })

const usage = (services: CommandServices): Command =>
  defineCommand({
    name: 'usage',
    description: both('Shows what this conversation and this month have used', '显示用量'),
    async run({ message }) {
      const { refusal, used } = commandTextsFor(message.locale)
      if (!mayLook(services, message)) return refusal
      const session = await sessionOf(services, message)
      const { adapter, endpoint, sender } = message
      const since = new Date(services.runtime.clock.now() - (USAGE_DAYS - 1) * DAY_MS).toISOString().slice(0, 10)
      const filter = isOperator(message) ? {} : { adapter, endpoint, user: sender.id }
      const sum = (await services.usage.days(since, filter)).reduce(addUsage, NO_USAGE)
      return [
        ...(session ? [used('conversation', session.usage)] : []),
        used(isOperator(message) ? 'everybody' : 'yours', sum),
      ].join('\n')
    },
  })

const status = (services: CommandServices): Command =>
  defineCommand({
    name: 'status',
    description: both('Shows what is being done here', '显示当前状态'),
    args: { agent: agentParam() },
    async run({ args, message }) {
      const { activeTurns, clock } = services.runtime
      const texts = commandTextsFor(message.locale)
      if (!mayLook(services, message)) return texts.refusal
      const agent = namedAgent(services, message, args.agent)
      if (agent === undefined) return texts.noAgent
      const session = await sessionOf(services, message, agent)
      if (!session) return textsFor(message.locale).noSession
      const running = activeTurns.ofSession(session.id)
      const queued = activeTurns.all().filter(({ journal }) => journal.state === 'queued').length
      const lines = running.map(({ journal: { state, stage, step, model, startedAt, waiting } }) => {
        const seconds = Math.round((clock.now() - startedAt) / SECOND_MS)
        return texts.running({ state, stage, step, model, seconds, ...(waiting ? { waiting } : {}) })
      })
      const { model, thinking } = session
      return [
        texts.sessionSummary(session.messages, running.length, queued),
        ...(model ? [texts.model.isChosen(model)] : []),
        ...(thinking ? [texts.model.thinks(thinking)] : []),
        ...lines,
      ].join('\n')
    },
  })
