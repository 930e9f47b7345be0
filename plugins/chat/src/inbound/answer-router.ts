import type { Awaitable } from '@mynah/kernel/util'
import { isForwarded } from '../api/segments.js'
import type { CommandRunner } from '../commands/runner.js'
import type { PlainAnswers } from './plain-answers.js'
import type { Prompts } from './prompts.js'
import type { ReceivedMessage } from './received-message.js'

/** Passes a message to the question that it answers: a prompt of a command, or a request that waits for a person. */
export class AnswerRouter {
  readonly #runner: CommandRunner
  readonly #prompts: Prompts
  readonly #plainAnswers: PlainAnswers

  constructor(runner: CommandRunner, prompts: Prompts, plainAnswers: PlainAnswers) {
    this.#runner = runner
    this.#prompts = prompts
    this.#plainAnswers = plainAnswers
  }

  /** Returns whether the message was an answer. */
  take(message: ReceivedMessage): Awaitable<boolean> {
    // A command stays a command while a question is open, so that its owner can approve or ask for help.
    // Forwarded words are those of another person.
    if (isForwarded(message.segments)) return false
    if (this.#prompts.isAwaited(message.record) && !this.#runner.isCommand(message)) {
      this.#prompts.answer(message.record)
      message.trace.step('prompt', '', 'answered', 'a command was waiting for this answer')
      return true
    }
    return this.#plainAnswers.take(message)
  }
}
