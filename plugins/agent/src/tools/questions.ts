// Questions to people: asked in chat or in the console, answered by the asked one's next message there, a number, or over RPC.
import { createHash } from 'node:crypto'
import { Card, yesOrNo, type Content, type Message } from '@mynah/plugin-chat/api'
import type { Origin } from '@mynah/plugin-ai/api'

/** Time that a question waits, ms. */
export const QUESTION_MS = 30 * 60_000

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

/** A conversation and a person in it, as one comparable text. */
export const conversationKey = ({ adapter, endpoint, channel, user }: Origin): string =>
  JSON.stringify([adapter, endpoint, channel?.type, channel?.id, channel?.parent?.id, user])

export class Questions {
  readonly #waiting = new Map<string, Question>()

  /** Waits for an answer; the newest question of a person in a place is answered first. */
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

  /** The question that a message answers. A quote picks; else it is the newest of this person in this place. */
  match(message: Pick<Message, 'adapter' | 'endpoint' | 'channel' | 'sender' | 'replyTo'>): Question | undefined {
    const place = conversationKey({
      adapter: message.adapter,
      endpoint: message.endpoint,
      channel: message.channel,
      user: message.sender.id,
    })
    const mine = Array.from(this.#waiting.values()).filter(({ origin }) => conversationKey(origin) === place)
    return mine.find(({ messageId }) => messageId !== undefined && messageId === message.replyTo) ?? mine.at(-1)
  }

  /** Id of the message that asks, once it is sent. */
  messageIdOf(id: string): string | undefined {
    return this.#waiting.get(id)?.messageId
  }

  /** Gives an answer that stands in the journal to who waits for it here. */
  settle(id: string, answer: string): void {
    this.#waiting.get(id)?.answer(answer)
  }
}

/** A choice by its number or its words, or by a yes or no where one of two says no; else the text as it is. */
export function choiceOf({ choices = [] }: { readonly choices?: readonly string[] | undefined }, text: string): string {
  const trimmed = text.trim()
  const numbered = /^\d{1,3}$/.test(trimmed) ? choices[Number(trimmed) - 1] : undefined
  const named = numbered ?? choices.find((choice) => choice.toLowerCase() === trimmed.toLowerCase())
  if (named !== undefined) return named
  const says = yesOrNo(trimmed)
  const [no, ...others] = choices.filter((choice) => yesOrNo(choice) === false)
  if (says === undefined || choices.length !== 2 || no === undefined || others.length > 0) return trimmed
  return says ? (choices.find((choice) => choice !== no) ?? trimmed) : no
}

/** How a question reads in chat. */
function asNumberedText(text: string, choices: readonly string[]): string {
  return [text, ...choices.map((choice, index) => `${index + 1}. ${choice}`)].join('\n')
}

/** What fits on a button. */
const BUTTON = 40

/** The name of a question of a call: its own among all turns, since models number their calls as they like; the same after a start, and short enough for any button. */
export const questionId = (turn: string, call: string): string =>
  createHash('sha256').update(`${turn}/${call}`).digest('hex').slice(0, 16)

/** A question as it is sent: with buttons where the platform has them, else with choices by number. */
export function questionContent(
  {
    id,
    text,
    choices = [],
  }: { readonly id: string; readonly text: string; readonly choices?: readonly string[] | undefined },
  buttons: { readonly prefix: string } | undefined,
): Content {
  if (!buttons || choices.length === 0) return asNumberedText(text, choices)
  const areShort = choices.every((choice) => choice.length <= BUTTON)
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
