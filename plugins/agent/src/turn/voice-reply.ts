import { messageOf } from '@mynah/kernel'
import type { Segment } from '@mynah/contract/types'
import type { Message } from '@mynah/plugin-chat/api'
import type { AgentRuntime } from '../runtime.js'
import { mediaKinds } from './media-kinds.js'
import type { LiveTurn } from './live-turn.js'

type Runtime = Pick<AgentRuntime, 'chat' | 'config' | 'speech' | 'log'>

/**
 * Whether the answer to a message will be spoken: it has sound, the configuration wants it and the platform plays it.
 */
export function repliesByVoice({ chat, config, speech }: Runtime, message: Message): boolean {
  if (config['ai.multimodal'].audio.reply !== 'voice' || !mediaKinds(message.segments).has('audio')) return false
  return speech !== undefined && chat?.shows(message.adapter, message.endpoint, 'audio') === true
}

/** Returns whether a text has parts that are for reading only: code, or addresses of pictures. */
const hasUnspeakableText = (answer: string): boolean => answer.includes('```') || answer.includes('](http')

/** Returns an answer as sound, or `undefined` when it is to be written. The message's trace has the reason. */
export async function voiceReply(
  runtime: Runtime,
  { journal, signal }: LiveTurn,
  message: Message,
  answer: string,
): Promise<readonly Segment[] | undefined> {
  const { speech } = runtime
  if (!speech || !repliesByVoice(runtime, message)) return undefined
  if (hasUnspeakableText(answer)) {
    message.step('speech', 'speak', 'text', 'the answer has code or addresses')
    return undefined
  }
  try {
    const { origin, sessionKey, id } = journal
    const segment = await speech.speak(answer, { origin, session: sessionKey, turn: id, signal })
    message.step('speech', 'speak', 'spoken')
    return [segment]
  } catch (error) {
    const reason = messageOf(error)
    message.step('speech', 'speak', 'text', reason)
    runtime.log.warn(`failed to speak an answer, which is written instead: ${reason}`, { turn: journal.id })
    return undefined
  }
}
