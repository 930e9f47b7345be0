// A plain yes or no of an owner, in the private chat where a request was sent to him.
import type { Reader } from '@mynah/kernel'
import { isWireError } from '@mynah/contract'
import type { Awaiting, Message, Middleware } from '@mynah/plugin-chat/api'
import type { Exec } from '../exec.js'
import type { OwnerOnly } from '../owner-only.js'
import type { Owners } from './owner.js'
import { textsFor } from './texts.js'

/** Longer than any of the words. */
const MAX_WORD = 12
const WORDS: ReadonlyMap<string, boolean> = new Map([
  ...['yes', 'y', 'approve', '是', '好', '好的', '可以', '同意', '批准'].map((word) => [word, true] as const),
  ...['no', 'n', 'deny', '否', '不', '不要', '不行', '拒绝'].map((word) => [word, false] as const),
])

interface Deps { readonly exec: Exec; readonly owners: Owners; readonly owner: OwnerOnly; readonly awaiting: Reader<Awaiting> }

/** Before everybody else who could take the word, but after those who have asked a question of their own. */
export function plainAnswers({ exec, owners, owner, awaiting }: Deps): Middleware {
  return {
    name: 'approvals', priority: 100,
    async handle(message, next) {
      const approve = wordOf(message)
      if (approve === undefined || !message.roles.has('master') || awaiting.all().some(({ value }) => value.waits(message))) return next()
      const id = await owners.meantBy(message)
      if (id === undefined) return next()
      const texts = textsFor(message.locale)
      const by = `owner:${message.sender.id}`
      try {
        await owner('approve', by, id)
        await exec.answer(id, approve, by, { adapter: message.adapter, endpointId: message.endpoint })
      } catch (error) {
        // A wire error is meant for who asked.
        if (!isWireError(error)) throw error
        await message.$reply(error.message)
        return
      }
      message.step('approval', id, approve ? 'approved' : 'denied')
      await message.$reply(approve ? texts.approved(id) : texts.denied(id))
    },
  }
}

function wordOf({ text, channel }: Message): boolean | undefined {
  if (channel.type !== 'private') return undefined
  const word = text.trim().toLowerCase()
  return word.length > MAX_WORD ? undefined : WORDS.get(word.replace(/[.!。！]$/, ''))
}
