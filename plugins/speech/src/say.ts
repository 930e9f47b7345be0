import type { Ref } from '@mynah/kernel'
import { Type } from '@mynah/contract/type'
import type { Speech } from '@mynah/plugin-agent/api'
import { defineTool, toolResult, type Tool } from '@mynah/plugin-ai/api'
import type { Chat } from '@mynah/plugin-chat/api'

const TIMEOUT_MS = 90_000

/** Creates the tool that sends a text as a voice message. */
export function say({ speech, chat }: { readonly speech: Speech; readonly chat: Ref<Chat> }): Tool {
  return defineTool({
    name: 'say',
    timeout: TIMEOUT_MS,
    description:
      'Speaks a text to the chat as a voice message, when the user wants to hear it. Do not write a spoken text again.',
    keywords: ['speak', 'voice', 'read aloud', 'pronounce', 'audio', '说', '朗读', '语音', '念'],
    // The key keeps a second run from sending again.
    effect: 'repeatable',
    parameters: Type.Object({
      text: Type.String({ minLength: 1, maxLength: 4_096, description: 'The words, as they are to be heard' }),
    }),
    async run({ text }, { origin, session, turn, id, signal }) {
      const { adapter, endpoint, channel } = origin
      const service = chat.current
      if (!service || adapter === undefined || endpoint === undefined || channel === undefined)
        return toolResult('There is no chat to speak to.', { isError: true })
      if (!service.shows(adapter, endpoint, 'audio'))
        return toolResult('This chat plays no sound. Write it instead.', { isError: true })
      const segment = await speech.speak(text, { origin, session, turn, signal })
      await service.send(adapter, endpoint, channel, [segment], { key: `say/${turn}/${id}` })
      return 'Spoken.'
    },
  })
}
