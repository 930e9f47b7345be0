import { defineCommand, param, type Command, type Message } from '@mynah/plugin-chat/api'
import type { PairingKey } from '../access/pairings.js'
import { singleLine } from '../prompt/speakers.js'
import { both, type CommandServices } from './access.js'
import { commandTextsFor } from './texts.js'

const MAX_ID = 128
/** People that are listed. */
const MAX_LISTED = 50

/** Returns the commands about people whom an owner lets in. They are about the endpoint where they are used. */
export const pairingCommands = ({ desk }: CommandServices): Command[] => {
  const keyOf = ({ adapter, endpoint }: Message, user: string): PairingKey => ({ adapter, endpoint, user })
  const owners = { requiredAnyRole: ['master'] } as const
  const user = param.string({ description: both('id of the person on the platform', '对方在平台上的 ID') })
  return [
    defineCommand({
      name: 'pairing',
      description: both('Lists people who asked to talk to the bot', '列出请求与机器人交谈的人'),
      ...owners,
      async run({ message }) {
        const texts = commandTextsFor(message.locale)
        const own = (await desk.list()).filter(
          ({ adapter, endpoint }) => adapter === message.adapter && endpoint === message.endpoint,
        )
        const lines = own.slice(-MAX_LISTED).map(({ user: id, name, state }) => {
          return `${singleLine(id, MAX_ID)} (${name}): ${texts.pairing[state]}`
        })
        return lines.length ? lines.join('\n') : texts.pairing.none
      },
    }),
    defineCommand({
      name: 'pairing accept',
      description: both('Lets a person talk to the bot', '允许某人与机器人交谈'),
      ...owners,
      args: { user },
      async run({ args, message }) {
        await desk.set(keyOf(message, args.user), true)
        return commandTextsFor(message.locale).pairing.paired
      },
    }),
    defineCommand({
      name: 'pairing remove',
      description: both('Forgets whether a person may talk to the bot', '撤销某人与机器人交谈的许可'),
      ...owners,
      args: { user },
      async run({ args, message }) {
        const texts = commandTextsFor(message.locale)
        return (await desk.set(keyOf(message, args.user), false)) ? texts.pairing.removed : texts.pairing.none
      },
    }),
  ]
}
