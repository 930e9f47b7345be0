// Changes of a message by users: an edit, a deletion, a reaction.
import { Button } from '@mynah/console/ui'
import { useState } from 'react'
import { truncate, type ChatMessage } from './model.js'
import type { Translate } from './texts.js'

/** Reactions that can be given here. A bot may give any other. */
const EMOJIS = ['👍', '❤️', '🎉'] as const

/** Actions of the user who acts. */
export interface MessageActions {
  /** Id of the user. */
  readonly userId: string
  readonly onEdit: (message: ChatMessage, text: string) => void
  readonly onDelete: (message: ChatMessage) => void
  readonly onReact: (message: ChatMessage, emoji: string) => void
}

interface ChangeToolsProps extends MessageActions {
  readonly t: Translate
  readonly message: ChatMessage
  readonly onStartEdit: () => void
}

export function ChangeTools({ t, message, userId, onDelete, onReact, onStartEdit }: ChangeToolsProps) {
  const { deletedAt, direction, sender, state, text } = message
  if (state !== undefined || deletedAt !== undefined) return null
  const isOwn = direction === 'in' && sender.id === userId
  return (
    <>
      {EMOJIS.map((emoji) => (
        <button
          key={emoji}
          type="button"
          aria-label={t('reactTo', { emoji, text: truncate(text, 40) })}
          onClick={() => onReact(message, emoji)}
        >
          {emoji}
        </button>
      ))}
      {isOwn ? (
        <>
          <button type="button" aria-label={t('editOf', { text: truncate(text, 40) })} onClick={onStartEdit}>
            {t('edit')}
          </button>
          <button
            type="button"
            aria-label={t('deleteOf', { text: truncate(text, 40) })}
            onClick={() => onDelete(message)}
          >
            {t('delete')}
          </button>
        </>
      ) : null}
    </>
  )
}

interface EditorProps {
  readonly t: Translate
  readonly message: ChatMessage
  readonly onSave: (text: string) => void
  readonly onCancel: () => void
}

export function MessageEditor({ t, message, onSave, onCancel }: EditorProps) {
  const [text, setText] = useState(message.text)
  return (
    <form
      className="sb-editor"
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() !== '') onSave(text)
      }}
    >
      <textarea
        aria-label={t('editOf', { text: truncate(message.text, 40) })}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onCancel()
        }}
      />
      <Button kind="primary" type="submit">
        {t('save')}
      </Button>
      <Button onClick={onCancel}>{t('cancel')}</Button>
    </form>
  )
}

interface ReactionsProps {
  readonly t: Translate
  readonly message: ChatMessage
}

/** Shows the reactions of a message by emoji, with the names of the people. */
export function Reactions({ t, message: { reactions = [] } }: ReactionsProps) {
  if (reactions.length === 0) return null
  const people = new Map<string, string[]>()
  for (const { emoji, sender } of reactions) people.set(emoji, [...(people.get(emoji) ?? []), sender.name ?? sender.id])
  return (
    <ul className="sb-reactions" aria-label={t('reactions')}>
      {Array.from(people, ([emoji, names]) => (
        <li key={emoji} title={names.join(', ')}>
          {emoji} {names.length}
        </li>
      ))}
    </ul>
  )
}
