// A console that follows the event stream and resumes it after each break.
import { EventStream } from '@mynah/plugin-events/api'

const RETRY_MS = 300

/** The part of a server's response that the stream writes to. */
class Response {
  destroyed = false
  writableLength = 0
  writableNeedDrain = false
  #onBytes
  #listeners = new Map()

  constructor(onBytes) {
    this.#onBytes = onBytes
  }

  write(bytes) {
    this.#onBytes(bytes)
    return true
  }
  on(name, listener) {
    this.#listeners.set(name, [...(this.#listeners.get(name) ?? []), listener])
    return this
  }
  once(name, listener) {
    return this.on(name, listener)
  }
  off() {
    return this
  }
  end() {
    this.destroy()
  }
  destroy() {
    if (this.destroyed) return
    this.destroyed = true
    for (const listener of this.#listeners.get('close') ?? []) listener()
  }
}

export class StreamClient {
  /** Events with an id, in the order in which they came. */
  received = []
  /** Number of times that a reset asked it to start again. */
  resets = 0
  #world
  #lastId
  #response
  #text = ''

  constructor(world) {
    this.#world = world
  }

  started(host) {
    const { scheduler } = this.#world
    const life = scheduler.life
    const follow = () => {
      const stream = host.get(EventStream)
      if (!stream) return void scheduler.add('client connects', RETRY_MS, follow, life)
      this.#open(stream, life)
      this.#response.once('close', () => scheduler.add('client connects', RETRY_MS, follow, life))
    }
    scheduler.add('client connects', RETRY_MS, follow, life)
  }

  crashed() {
    this.#response = undefined
    this.#text = ''
  }

  #open(stream, life) {
    const response = new Response((bytes) => {
      if (life === this.#world.scheduler.life) this.#read(bytes)
    })
    this.#response = response
    this.#text = ''
    stream.serve(response, false, this.#lastId, new AbortController().signal).catch(() => response.destroy())
  }

  #read(bytes) {
    this.#text += bytes.toString()
    const frames = this.#text.split('\n\n')
    this.#text = frames.pop()
    for (const frame of frames) this.#take(frame)
  }

  #take(frame) {
    const id = /^id: (.+)$/m.exec(frame)?.[1]
    const data = /^data: (.+)$/m.exec(frame)?.[1]
    if (data === undefined) return
    const event = JSON.parse(data)
    if (event.type === 'sync' && event.data.reset) this.resets++
    if (id === undefined) return
    this.#lastId = id
    this.received.push({ id, type: event.type, data: event.data })
  }
}
