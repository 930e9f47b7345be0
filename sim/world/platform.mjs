// A chat platform: it keeps what people write until the host has taken it, and shows what the host says.
import { defineAdapter, SendError } from '@mynah/plugin-chat/api'

/** Until an update that was not acknowledged is delivered again, ms. */
const REDELIVER_MS = 1_500
/** Time for which a platform that takes a key once remembers it, ms. */
const REPEATS_MS = 120_000

const addressOf = ({ type, id }) => `${type}:${id}`

/** One definition for each kind of platform: the host compiles the schema of each that it meets. */
const definitions = new Map()
/** The platforms of the history that runs, by name. */
const current = new Map()

function definitionOf(name, { acknowledges, edits, settles }) {
  const key = `${name} ${acknowledges} ${edits} ${settles}`
  let definition = definitions.get(key)
  if (!definition)
    definitions.set(
      key,
      (definition = defineAdapter({
        name,
        acknowledges,
        buttons: edits,
        ...(settles === 'repeats' ? { repeats: { forMs: REPEATS_MS } } : {}),
        create: (endpoint) => current.get(name).bot(endpoint),
      })),
    )
  return definition
}

/** Knowledge of a host that has this error: `refused` is certain, and `until` is when it may try again. */
function refusalIn(error, now) {
  if (!(error instanceof SendError)) return { outcome: 'unclear' }
  return error.kind === 'rate-limited' ? { outcome: 'refused', until: now + error.retryAfter } : { outcome: 'refused' }
}

export class Platform {
  name
  /** Messages of people. */
  updates = []
  /** Messages of the host: every message that was ever shown, with all its texts. */
  shown = []
  /** Calls that would say something, and what the host knows of them. */
  attempts = []
  isOnline = true
  #world
  #options
  /** The connection of the host. */
  #session
  #ids = 0

  /**
   * @param options.edits whether messages can be edited and show buttons
   * @param options.acknowledges `after-store` or `never`
   * @param options.settles how it settles a lost answer: `repeats` takes a key once, `finds` looks for it
   */
  constructor(world, name, options) {
    this.#world = world
    this.name = name
    this.#options = options
    current.set(name, this)
  }

  get acknowledges() {
    return this.#options.acknowledges
  }

  adapter() {
    return definitionOf(this.name, this.#options)
  }

  crashed() {
    this.#session = undefined
    if (this.#options.acknowledges === 'never')
      for (const update of this.updates) if (update.isHandedOver && !update.isAcknowledged) update.isLost = true
  }

  quiet() {
    if (!this.#world.plan.staysOffline) this.isOnline = true
  }

  goOffline(ms) {
    this.#world.recorder.line(`${this.name}: offline for ${ms} ms`)
    this.isOnline = false
    this.#lose()
    this.#world.scheduler.add(`${this.name} online`, ms, () => (this.isOnline = true), 0)
  }

  /** Breaks the connection of the host. */
  #lose() {
    const session = this.#session
    this.#session = undefined
    session?.endpoint.lost(new Error('connection reset'))
  }

  /** A person writes. */
  write(id, from, channel, text, more = {}) {
    this.#world.recorder.line(`${this.name}: ${from} writes ${JSON.stringify(text)} (${id})`)
    const update = { id, from, channel, text, more, isAccepted: false, isLost: false, at: this.#world.wall() }
    this.updates.push(update)
    this.#deliver(update)
  }

  #deliver(update, wait = 1) {
    this.#world.scheduler.add(`${this.name} delivers`, wait, () => void this.#handOver(update, this.#session), 0)
  }

  async #handOver(update, session) {
    if (!session) {
      if (this.#options.acknowledges === 'never') update.isLost = true
      return
    }
    const { id, from, channel, text, more, at } = update
    update.isHandedOver = true
    const life = session.life
    try {
      await session.endpoint.receive({
        id,
        channel,
        sender: { id: from, name: from },
        content: text,
        timestamp: at,
        mentioned: true,
        ...more,
      })
    } catch (error) {
      this.#world.recorder.line(`${this.name}: ${id} is not taken: ${error.message}`)
      if (this.#options.acknowledges === 'never') update.isLost = true
      else this.#again(update, session)
      return
    }
    if (life !== this.#world.scheduler.life) return
    const { fault } = this.#world.boundaries.decide('acknowledge')
    if (fault === 'crash') this.#world.crashSoon('before the acknowledgement')
    if (fault !== undefined && this.#options.acknowledges === 'after-store') {
      update.isAccepted = true
      return this.#again(update, session)
    }
    update.isAccepted = update.isAcknowledged = true
  }

  #again(update, session) {
    this.#world.scheduler.add(
      `${this.name} delivers again`,
      REDELIVER_MS,
      () => {
        if (this.#session === session) void this.#handOver(update, session)
      },
      0,
    )
  }

  bot(endpoint) {
    const { edits } = this.#options
    const world = this.#world
    const { life } = world.scheduler
    const call = (boundary, label, effect, said) => this.#call(boundary, label, life, effect, said)
    const bot = {
      connect: async () => {
        await call('connect', 'connects', () => {
          if (!this.isOnline) throw new Error('the platform is unavailable')
          if (life === world.scheduler.life) this.#session = { endpoint, life }
        })
        // A platform that waits for no acknowledgement delivers nothing again.
        if (this.#options.acknowledges === 'after-store')
          for (const update of this.updates) if (!update.isAcknowledged) this.#deliver(update)
        return { id: 'bot' }
      },
      disconnect: async () => {
        if (this.#session?.life === life) this.#session = undefined
      },
      send: (target, message) =>
        call('send', 'shows', () => this.#show(target, message), { target, text: message.text }),
    }
    if (edits) {
      bot.edit = (_target, id, message) => call('edit', 'edits', () => this.#edit(id, message))
      bot.recall = (_target, id) => call('edit', 'deletes', () => this.#delete(id))
    }
    if (this.#options.settles === 'finds')
      bot.find = (_target, key) => call('edit', 'looks for', () => this.#find(key) ?? null)
    return bot
  }

  /** One call of the host. The effect happens even if the host dies after it has sent the request. */
  #call(boundary, label, life, effect, said) {
    const { scheduler, boundaries } = this.#world
    const { delay, fault } = boundaries.decide(boundary)
    const attempt = said && { ...said, at: scheduler.now, outcome: 'open' }
    if (attempt) this.attempts.push(attempt)
    return new Promise((resolve, reject) => {
      const answer = (settle, outcome) =>
        scheduler.add(
          `${this.name} ${label}, answer`,
          delay / 2,
          () => {
            if (attempt) Object.assign(attempt, outcome, { answeredAt: scheduler.now })
            settle()
          },
          life,
          true,
        )
      const perform = () => {
        const error = this.#refusalOf(boundary, fault)
        if (fault === 'offline') this.#lose()
        if (error) return answer(() => reject(error), refusalIn(error, scheduler.now))
        let result
        try {
          result = effect()
        } catch (failure) {
          return answer(() => reject(failure))
        }
        if (fault === 'crash') this.#world.crashSoon(`after the platform ${label}`)
        if (fault === 'taken') answer(() => reject(new Error('socket hang up')), { outcome: 'unclear' })
        else answer(() => resolve(result), { outcome: 'shown' })
      }
      scheduler.add(`${this.name} ${label}`, delay / 2, perform, 0)
    })
  }

  #refusalOf(boundary, fault) {
    if (boundary !== 'connect' && !this.isOnline) return new SendError('offline', 'the platform is unavailable')
    if (fault === 'offline') return new SendError('offline', 'the connection is gone')
    if (fault === 'lost') return new Error('socket hang up')
    if (fault === 'refuse')
      return boundary === 'connect' ? new Error('refused') : new SendError('refused', 'not allowed')
    if (fault !== 'limited') return undefined
    const retryAfter = 1_000 + Math.floor(this.#world.boundaries.extra(boundary) ** 2 * 90_000)
    return new SendError('rate-limited', 'too many requests', { retryAfter })
  }

  #find(key) {
    const known = this.shown.find((message) => message.key === key)
    return known && { messageId: known.id }
  }

  #show(target, { text, segments, replyTo, key }) {
    const { now } = this.#world.scheduler
    const known = this.#options.settles === 'repeats' ? this.shown.find((message) => message.key === key) : undefined
    if (known && now < known.at + REPEATS_MS) return { messageId: known.id }
    const id = `${this.name}-${++this.#ids}`
    this.#world.recorder.line(`${this.name}: shows ${id} in ${addressOf(target)}: ${JSON.stringify(text)}`)
    const message = { id, key, channel: target, texts: [text], segments, replyTo, at: now }
    this.shown.push(message)
    this.#world.people.saw(this, message)
    return { messageId: id }
  }

  #edit(id, { text, segments }) {
    this.#world.recorder.line(`${this.name}: ${id} now says ${JSON.stringify(text)}`)
    const message = this.shown.find((known) => known.id === id)
    message?.texts.push(text)
    if (message) message.segments = segments
  }

  #delete(id) {
    this.#world.recorder.line(`${this.name}: ${id} is deleted`)
    const message = this.shown.find((known) => known.id === id)
    if (message) message.isDeleted = true
  }
}
