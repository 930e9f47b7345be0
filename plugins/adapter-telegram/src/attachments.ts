import type { Message } from 'grammy/types'
import type { Segment } from '@mynah/plugin-chat/api'

interface Stored {
  readonly file_id: string
  readonly file_size?: number
  readonly file_name?: string
  readonly mime_type?: string
  readonly duration?: number
  readonly width?: number
  readonly height?: number
}

function media(type: string, file: Stored): Segment {
  const { file_id: fileId, file_name: name, mime_type: mime, file_size: size, duration, width, height } = file
  const data = { fileId, name, mime, size, duration, width, height }
  return { type, data: Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined)) }
}

const item = (type: string, text: string, data: Record<string, unknown>): Segment => ({ type, data: { ...data, text } })

/**
 * Returns the attachment of a message as a segment. It has Telegram's id of the file, since the address contains the
 * token.
 */
export function attachmentOf(message: Message): Segment | undefined {
  return mediaOf(message) ?? stickerOf(message) ?? placeOf(message) ?? contentOf(message)
}

function mediaOf({ photo, animation, video, video_note: note, audio, voice, document }: Message): Segment | undefined {
  if (photo?.length)
    return media(
      'image',
      photo.reduce((a, b) => (b.width * b.height > a.width * a.height ? b : a)),
    )
  // An animation is also reported as a document.
  const film = animation ?? video ?? note
  if (film) return media('video', film)
  if (audio) return media('audio', audio)
  if (voice) return media('voice', voice)
  return document && media('file', document)
}

function stickerOf({ sticker }: Message): Segment | undefined {
  if (!sticker) return undefined
  return {
    type: 'sticker',
    data: {
      id: sticker.file_unique_id,
      fileId: sticker.file_id,
      ...(sticker.emoji ? { text: sticker.emoji } : {}),
      ...(sticker.set_name ? { name: sticker.set_name } : {}),
    },
  }
}

function placeOf({ venue, location }: Message): Segment | undefined {
  if (venue) {
    const { title, address, location: at } = venue
    return item('location', `[location] ${title}, ${address} (${at.latitude}, ${at.longitude})`, {
      latitude: at.latitude,
      longitude: at.longitude,
      title,
      address,
    })
  }
  if (!location) return undefined
  const { latitude, longitude } = location
  return item('location', `[location] ${latitude}, ${longitude}`, { latitude, longitude })
}

function contentOf({ contact, poll, dice }: Message): Segment | undefined {
  if (contact) {
    const name = [contact.first_name, contact.last_name].filter(Boolean).join(' ')
    return item('contact', `[contact] ${name} ${contact.phone_number}`, {
      name: contact.first_name,
      phone: contact.phone_number,
    })
  }
  if (poll) {
    const options = poll.options.map(({ text }) => text)
    const lines = options.map((text) => `- ${text}`).join('\n')
    return item('poll', `[poll] ${poll.question}\n${lines}`, { id: poll.id, question: poll.question, options })
  }
  return dice && item('dice', `${dice.emoji} ${dice.value}`, { value: dice.value })
}
