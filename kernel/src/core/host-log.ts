import type { KernelError } from '../base/errors.js'
import type { Owner } from '../base/guard.js'
import { logged, type LogRecord } from '../base/log.js'
import { messageOf } from '../base/to-error.js'
import { RingBuffer } from '../util/ring-buffer.js'
import type { Redaction } from './entry.js'
import type { Hooks } from './hooks.js'

const RECENT_RECORDS = 200

/** Redacts each record and passes it to the sink and to the listeners of {@link logged}. */
export class HostLog {
  readonly #sink: (record: LogRecord) => void
  readonly #redaction: Redaction | undefined
  readonly #hooks: Hooks
  readonly #recent = new RingBuffer<LogRecord>(RECENT_RECORDS)
  #isEmitting = false

  constructor(sink: (record: LogRecord) => void, redaction: Redaction | undefined, hooks: Hooks) {
    this.#sink = sink
    this.#redaction = redaction
    this.#hooks = hooks
  }

  /** Never throws: a log that fails must not break what it reports. */
  write(written: LogRecord): void {
    const record = this.#withoutSecrets(written)
    try {
      this.#sink(record)
    } catch (error) {
      process.emitWarning(`The log failed: ${messageOf(error)}`)
    }
    // Listeners forward logs to clients, so file paths are removed.
    const shown = this.#redaction?.paths(record) ?? record
    this.#recent.push(shown)
    if (this.#isEmitting || !this.#hooks.has(logged.id)) return
    this.#isEmitting = true
    try {
      this.#hooks.emit(logged.id, shown)
    } finally {
      this.#isEmitting = false
    }
  }

  /** Returns the last records as listeners would have received them, the oldest first. */
  recent(): LogRecord[] {
    return this.#recent.toArray()
  }

  /** Returns a text without secrets and file paths. */
  redact(text: string): string {
    const redaction = this.#redaction
    if (!redaction) return text
    return redaction.paths(redaction.secrets({ time: 0, level: 'info', name: 'host', message: text })).message
  }

  /** Fields that cannot be read are dropped, since they may hold secrets. */
  #withoutSecrets(written: LogRecord): LogRecord {
    if (!this.#redaction) return written
    try {
      return this.#redaction.secrets(written)
    } catch (error) {
      process.emitWarning(`The log failed: ${messageOf(error)}`)
      const { fields: _fields, ...bare } = written
      return this.#redaction.secrets(bare)
    }
  }

  /** Reports a failed listener. A failed listener of the log itself is not emitted again, or it would fail for ever. */
  listenerFailed(owner: Owner, hookId: string, error: KernelError): void {
    const before = this.#isEmitting
    this.#isEmitting ||= hookId === logged.id
    try {
      owner.report(error)
    } finally {
      this.#isEmitting = before
    }
  }
}
