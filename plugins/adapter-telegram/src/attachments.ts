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
  const {
    photo,
    animation,
    video,
    video_note: note,
    audio,
    voice,
    document,
    sticker,
    location,
    venue,
    contact,
    poll,
    dice,
  } = message
  if (photo?.length)
    return media(
      'image',
      photo.reduce((a, b) => (b.width * b.height > a.width * a.height ? b : a)),
    )
  // An animation is also reported as a document.
  if (animation) return media('video', animation)
  if (video ?? note) return media('video', (video ?? note) as Stored)
  if (audio) return media('audio', audio)
  if (voice) return media('voice', voice)
  if (document) return media('file', document)
  if (sticker)
    return {
      type: 'sticker',
      data: {
        id: sticker.file_unique_id,
        fileId: sticker.file_id,
        ...(sticker.emoji ? { text: sticker.emoji } : {}),
        ...(sticker.set_name ? { name: sticker.set_name } : {}),
      },
    }
  if (venue)
    return item(
      'location',
      `[location] ${venue.title}, ${venue.address} (${venue.location.latitude}, ${venue.location.longitude})`,
      {
        latitude: venue.location.latitude,
        longitude: venue.location.longitude,
        title: venue.title,
        address: venue.address,
      },
    )
  if (location)
    return item('location', `[location] ${location.latitude}, ${location.longitude}`, {
      latitude: location.latitude,
      longitude: location.longitude,
    })
  if (contact)
    return item(
      'contact',
      `[contact] ${[contact.first_name, contact.last_name].filter(Boolean).join(' ')} ${contact.phone_number}`,
      { name: contact.first_name, phone: contact.phone_number },
    )
  if (poll)
    return item('poll', `[poll] ${poll.question}\n${poll.options.map(({ text }) => `- ${text}`).join('\n')}`, {
      id: poll.id,
      question: poll.question,
      options: poll.options.map(({ text }) => text),
    })
  if (dice) return item('dice', `${dice.emoji} ${dice.value}`, { value: dice.value })
  return undefined
}
