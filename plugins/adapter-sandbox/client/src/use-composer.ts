// State of the composer: the typed text with its draft, and the attached pictures.
import type { HostApi } from '@mynah/console/entry'
import { useEffect, useLayoutEffect, useState } from 'react'
import type { DraftStore } from './drafts.js'
import type { ChatMessage } from './model.js'
import {
  MAX_PICTURE_BYTES,
  MAX_PICTURES,
  readPictures,
  type Picture,
  type RejectedFile,
  type RejectionReason,
} from './pictures.js'
import type { TextKey, Translate } from './texts.js'

/** Returns whether the event stream is connected. */
export function useLive({ client: { events } }: HostApi): boolean {
  const [live, setLive] = useState(events.state.status === 'live')
  useEffect(() => {
    setLive(events.state.status === 'live')
    return events.onState(({ status }) => setLive(status === 'live'))
  }, [events])
  return live
}

/** Returns the texts that a user sent, newest first, without repetitions in a row. */
export function sentTexts(messages: readonly ChatMessage[], userId: string): readonly string[] {
  return messages
    .filter(
      ({ direction, sender, text }) =>
        direction === 'in' && sender.id === userId && typeof text === 'string' && text !== '',
    )
    .map(({ text }) => text)
    .filter((text, index, all) => text !== all[index + 1])
    .reverse()
}

interface TypedTextOptions {
  readonly drafts: DraftStore
  readonly draftKey: string
  /** Whether the text is stored as the draft. */
  readonly savesDraft: boolean
  /** Texts to recall, newest first. */
  readonly sent: readonly string[]
}

interface TypedText {
  readonly text: string
  /** How many messages back the recalled one is. 0 while none is recalled. */
  readonly recalled: number
  readonly edit: (text: string) => void
  readonly recall: (step: number) => void
}

export function useTypedText({ drafts, draftKey, savesDraft, sent }: TypedTextOptions): TypedText {
  const [text, setText] = useState(drafts.get(draftKey))
  const [recalled, setRecalled] = useState(0)
  // Stored at once, so that leaving the page loses no letter.
  useLayoutEffect(() => {
    if (savesDraft) drafts.set(draftKey, text)
  }, [drafts, draftKey, text, savesDraft])
  return {
    text,
    recalled,
    edit: (value) => {
      setText(value)
      setRecalled(0)
    },
    recall: (step) => {
      const next = Math.max(0, Math.min(sent.length, recalled + step))
      setRecalled(next)
      setText(sent[next - 1] ?? '')
    },
  }
}

const REJECTION_TEXTS: Readonly<Record<RejectionReason, TextKey>> = {
  kind: 'noPicture',
  size: 'largePicture',
  count: 'manyPictures',
}
const MAX_PICTURE_MIB = Math.round((MAX_PICTURE_BYTES / 1_048_576) * 10) / 10

const rejectionText = (t: Translate, { name, reason }: RejectedFile): string =>
  t(REJECTION_TEXTS[reason], { name, most: reason === 'count' ? MAX_PICTURES : MAX_PICTURE_MIB })

interface Attachments {
  readonly pictures: readonly Picture[]
  /** Explains why a file was not attached. */
  readonly rejection: string | undefined
  readonly add: (files: readonly File[]) => void
  readonly remove: (picture: Picture) => void
  readonly clear: () => void
}

export function useAttachments(t: Translate, onAdded: () => void): Attachments {
  const [pictures, setPictures] = useState<readonly Picture[]>([])
  const [rejection, setRejection] = useState<string>()
  return {
    pictures,
    rejection,
    add: (files) => {
      void readPictures(files, pictures).then(({ pictures: added, rejected: [first] }) => {
        setPictures((known) => [...known, ...added])
        setRejection(first && rejectionText(t, first))
        onAdded()
      })
    },
    remove: (picture) => setPictures(pictures.filter((other) => other !== picture)),
    clear: () => {
      setPictures([])
      setRejection(undefined)
    },
  }
}
