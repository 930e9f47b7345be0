import { createHash } from 'node:crypto'
import { MINUTE_MS } from '@mynah/kernel/util'
import { Card, yesOrNo, type Content, type Message } from '@mynah/plugin-chat/api'
import type { Origin } from '@mynah/plugin-ai/api'

/** Time until a question expires. */
export const QUESTION_MS = 30 * MINUTE_MS

export interface Question {
  readonly id: string
  readonly turn: string
  readonly origin: Origin
  readonly text: string
  readonly choices: readonly string[] | undefined
  /** Id of the message that asked, once it is sent. */
  messageId: string | undefined
  readonly expiresAt: number
  readonly answer: (text: string) => void
}

/** Returns a key that is equal for the same person in the same conversation. */
export const conversationKey = ({ adapter, endpoint, channel, user }: Origin): string =>
  JSON.stringify([adapter, endpoint, channel?.type, channel?.id, channel?.parent?.id, user])

/** The questions of running turns that wait for an answer. */
export class Questions {
  readonly #waiting = new Map<string, Question>()

  /** Adds a question. `answered` resolves with the answer, and rejects when the signal aborts. */
  ask(
    question: Omit<Question, 'answer' | 'messageId'>,
    signal: AbortSignal,
  ): { readonly question: Question; readonly answered: Promise<string> } {
    let answer!: (text: string) => void
    const { id } = question
    const answered = new Promise<string>((resolve, reject) => {
      const ended = (): void => {
        this.#waiting.delete(id)
        signal.removeEventListener('abort', aborted)
      }
      const aborted = (): void => {
        ended()
        reject(signal.reason instanceof Error ? signal.reason : new Error('The question was withdrawn'))
      }
      answer = (text) => {
        ended()
        resolve(text)
      }
      signal.addEventListener('abort', aborted, { once: true })
      if (signal.aborted) aborted()
    })
    const kept: Question = { ...question, messageId: undefined, answer }
    if (!signal.aborted) this.#waiting.set(id, kept)
    return { question: kept, answered }
  }

  /**
   * Returns the question that a message answers: the quoted one, else the newest to this person in this conversation.
   */
  match(message: Pick<Message, 'adapter' | 'endpoint' | 'channel' | 'sender' | 'replyTo'>): Question | undefined {
    const key = conversationKey({
      adapter: message.adapter,
      endpoint: message.endpoint,
      channel: message.channel,
      user: message.sender.id,
    })
    const mine = Array.from(this.#waiting.values()).filter(({ origin }) => conversationKey(origin) === key)
    return mine.find(({ messageId }) => messageId !== undefined && messageId === message.replyTo) ?? mine.at(-1)
  }

  /** Returns the id of the message that asks, once it was sent. */
  messageIdOf(id: string): string | undefined {
    return this.#waiting.get(id)?.messageId
  }

  /** Passes an answer that the journal holds to the tool call that waits for it. */
  settle(id: string, answer: string): void {
    this.#waiting.get(id)?.answer(answer)
  }
}

/** Returns a choice by its number or its words, or by a yes or no when one of two says no; else the text as it is. */
export function choiceOf({ choices = [] }: { readonly choices?: readonly string[] | undefined }, text: string): string {
  const trimmed = text.trim()
  const numbered = /^\d{1,3}$/.test(trimmed) ? choices[Number(trimmed) - 1] : undefined
  const byWords = numbered ?? choices.find((choice) => choice.toLowerCase() === trimmed.toLowerCase())
  if (byWords !== undefined) return byWords
  const isYes = yesOrNo(trimmed)
  const [no, ...others] = choices.filter((choice) => yesOrNo(choice) === false)
  if (isYes === undefined || choices.length !== 2 || no === undefined || others.length > 0) return trimmed
  return isYes ? (choices.find((choice) => choice !== no) ?? trimmed) : no
}

/** Returns a question as text, with its choices by number. */
export function asNumberedText(text: string, choices: readonly string[]): string {
  return [text, ...choices.map((choice, index) => `${index + 1}. ${choice}`)].join('\n')
}

/** Returns the text of a question that was sent with these buttons, with its choices unless the text has them. */
export const withoutButtons = (text: string, labels: readonly string[]): string =>
  labels.every((label, index) => label === String(index + 1)) ? text : asNumberedText(text, labels)

/** Characters that fit on a button. */
const MAX_BUTTON = 40

/**
 * Returns the id of the question of a call. It is unique among all turns, although models number their calls as they
 * like, the same after a restart, and short enough for any button.
 */
export const questionId = (turn: string, call: string): string =>
  createHash('sha256').update(`${turn}/${call}`).digest('hex').slice(0, 16)

/** Returns a question as it is sent: with buttons where the platform has them, else with choices by number. */
export function questionContent(
  {
    id,
    text,
    choices = [],
  }: { readonly id: string; readonly text: string; readonly choices?: readonly string[] | undefined },
  buttons: { readonly prefix: string } | undefined,
): Content {
  if (!buttons || choices.length === 0) return asNumberedText(text, choices)
  const areShort = choices.every((choice) => choice.length <= MAX_BUTTON)
  return [
    Card({
      text: areShort ? text : asNumberedText(text, choices),
      buttons: choices.map((choice, index) => ({
        text: areShort ? choice : String(index + 1),
        command: `${buttons.prefix}answer ${id} ${index + 1}`,
      })),
    }),
  ]
}
