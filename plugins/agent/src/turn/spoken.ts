// Answers to sound are sound, where that is wished for and can be had; else they are written.
import { messageOf } from '@mynah/kernel'
import type { Segment } from '@mynah/contract/types'
import type { Message } from '@mynah/plugin-chat/api'
import type { RunnerDeps } from './deps.js'
import { mediaKinds } from './inbound-media.js'
import type { LiveTurn } from './live.js'

type Deps = Pick<RunnerDeps, 'chat' | 'config' | 'speech' | 'log'>

/** Whether the answer to a message will be spoken. */
export function isSpoken({ chat, config, speech }: Deps, message: Message): boolean {
  if (config()['ai.multimodal'].audio.reply !== 'voice' || !mediaKinds(message.segments).has('audio')) return false
  return speech() !== undefined && chat()?.shows(message.adapter, message.endpoint, 'audio') === true
}

/** What nobody wants to hear: code, and addresses of pictures. */
const isToBeRead = (answer: string): boolean => answer.includes('```') || answer.includes('](http')

/** An answer as sound; `undefined` where it is written, which the trace tells. */
export async function spoken(
  deps: Deps,
  { journal, control }: LiveTurn,
  message: Message,
  answer: string,
): Promise<readonly Segment[] | undefined> {
  const speech = deps.speech()
  if (!speech || !isSpoken(deps, message)) return undefined
  if (isToBeRead(answer)) {
    message.step('speech', 'speak', 'text', 'the answer has code or addresses')
    return undefined
  }
  try {
    const segment = await speech.speak(answer, {
      origin: journal.origin,
      session: journal.session_key,
      turn: journal.id,
      signal: control.signal,
    })
    message.step('speech', 'speak', 'spoken')
    return [segment]
  } catch (error) {
    const why = messageOf(error)
    message.step('speech', 'speak', 'text', why)
    deps.log.warn(`an answer is written, since it could not be spoken: ${why}`, { turn: journal.id })
    return undefined
  }
}
