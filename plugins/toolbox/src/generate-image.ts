import { createHash } from 'node:crypto'
import { messageOf } from '@mynah/kernel'
import { Type } from '@mynah/contract/type'
import { defineTool, toolResult, type Models, type Tool, type ToolCall } from '@mynah/plugin-ai/api'
import { Image, type Chat } from '@mynah/plugin-chat/api'
import type { Workspace } from './workspace.js'

const TIMEOUT_MS = 180_000
const word = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 100, description }))

/** The parts of the host that the tool works with. */
interface ImageParts {
  readonly models: () => Models | undefined
  readonly chat: () => Chat | undefined
  readonly workspace: (call: Pick<ToolCall, 'origin'>) => Workspace
  readonly requiredAnyRole?: readonly string[]
}

/** Creates the tool that generates a picture, sends it to the chat and keeps it as a file. */
export function generateImage({ models, chat, workspace, requiredAnyRole }: ImageParts): Tool {
  return defineTool({
    name: 'generate_image',
    description: 'Makes a picture from a description and sends it to the chat. Give the name of a provider that can.',
    deferred: true,
    timeout: TIMEOUT_MS,
    ...(requiredAnyRole ? { requiredAnyRole } : {}),
    keywords: ['draw', 'picture', 'image', 'paint', 'illustration', '画', '图片', '绘图', '生成图像'],
    parameters: Type.Object({
      provider_alias: Type.String({ minLength: 1, maxLength: 100, description: 'Name in ai.providers' }),
      prompt: Type.String({ minLength: 1, maxLength: 4_000 }),
      model: word('Model'),
      size: word('Such as 1024x1024'),
      quality: word('Such as high'),
      aspect_ratio: word('Such as 16:9'),
      image_size: word('Such as 2K'),
      watermark_enabled: Type.Optional(Type.Boolean()),
    }),
    async run({ provider_alias, prompt, model, size, quality, aspect_ratio, image_size, watermark_enabled }, call) {
      const service = models()
      if (!service) return toolResult('No pictures can be made: the plugin ai is not ready.', { isError: true })
      const { origin, session, turn, signal } = call
      const { images, warnings } = await service.image(
        {
          provider: provider_alias,
          prompt,
          model,
          size,
          quality,
          aspectRatio: aspect_ratio,
          imageSize: image_size,
          watermarkEnabled: watermark_enabled,
          origin,
          session,
          turn,
          purpose: 'image',
        },
        { signal, timeout: TIMEOUT_MS },
      )
      if (images.length === 0) return toolResult('The provider made no picture.', { isError: true })
      const lines: string[] = []
      for (const [index, { data, mediaType }] of images.entries()) {
        const extension = /^image\/(png|jpeg|webp|gif)$/.exec(mediaType)?.[1]?.replace('jpeg', 'jpg') ?? 'bin'
        const target = workspace(call).resolve(
          `images/${createHash('sha256').update(data).digest('hex').slice(0, 16)}.${extension}`,
          { write: true },
        )
        await workspace(call).write(target, data)
        lines.push(
          `${target.shown}, ${await sendImage(chat(), call, index, data, mediaType, target.shown.slice('images/'.length))}`,
        )
      }
      return [...lines, ...warnings].join('\n')
    },
  })
}

/** Sends a picture once. The file is kept even when the chat does not accept it. */
async function sendImage(
  chat: Chat | undefined,
  { origin: { adapter, endpoint, channel }, turn, id, log }: ToolCall,
  index: number,
  data: Uint8Array,
  mime: string,
  name: string,
): Promise<string> {
  if (!chat || adapter === undefined || endpoint === undefined || channel === undefined)
    return 'kept; there is no chat to send it to'
  try {
    await chat.send(adapter, endpoint, channel, [Image({ base64: Buffer.from(data).toString('base64'), mime, name })], {
      key: `image/${turn}/${id}/${index}`,
    })
    return 'sent to the chat'
  } catch (error) {
    log.warn(`failed to send a picture: ${messageOf(error)}`)
    return 'kept, but the chat did not take it'
  }
}
