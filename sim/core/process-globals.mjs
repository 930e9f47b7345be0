// Time, randomness and timers that product code takes from the process instead of its ports. While a
// history runs they belong to the simulation; see the README for the list of places.
import { AsyncLocalStorage } from 'node:async_hooks'
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import timersPromises from 'node:timers/promises'
import { Draws } from './random.mjs'

const real = {
  now: Date.now,
  performanceNow: performance.now,
  random: Math.random,
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setInterval: globalThis.setInterval,
  clearInterval: globalThis.clearInterval,
  setImmediate: globalThis.setImmediate,
  clearImmediate: globalThis.clearImmediate,
  randomBytes: crypto.randomBytes,
  randomUUID: crypto.randomUUID,
  randomFillSync: crypto.randomFillSync,
  runInStorage: AsyncLocalStorage.prototype.run,
  pause: timersPromises.setTimeout,
  immediate: timersPromises.setImmediate,
}

/** Storages of dead hosts, which would make every promise of the process slower. */
const storages = new Set()

/** Forgets the asynchronous storages of a host that died. */
export function dropStorages() {
  for (const storage of storages) storage.disable()
  storages.clear()
}

/** A timer of Node, as far as product code uses it. */
class Timer {
  constructor(cancel) {
    this.cancel = cancel
  }
  ref() {
    return this
  }
  unref() {
    return this
  }
}

const cancel = (timer) => timer?.cancel?.()

/**
 * Replaces them until the returned function is called.
 *
 * @param scheduler receives the timers
 * @param wall returns the time of day in milliseconds since the epoch
 */
export function takeGlobals(seed, scheduler, wall) {
  const draws = new Draws(seed, 'process')
  const later = (label, ms, run) => new Timer(scheduler.add(label, ms, run))
  Date.now = wall
  performance.now = () => scheduler.now
  Math.random = () => draws.next()
  globalThis.setTimeout = (run, ms = 0, ...given) => later('timeout', ms, () => run(...given))
  globalThis.setImmediate = (run, ...given) => later('immediate', 0, () => run(...given))
  globalThis.setInterval = (run, ms, ...given) => {
    const timer = new Timer()
    const arm = () => {
      timer.cancel = scheduler.add('interval', ms, () => {
        arm()
        run(...given)
      })
    }
    arm()
    return timer
  }
  for (const name of ['clearTimeout', 'clearInterval', 'clearImmediate']) globalThis[name] = cancel
  const fill = (bytes) => {
    for (let index = 0; index < bytes.length; index++) bytes[index] = Math.floor(draws.next() * 256)
    return bytes
  }
  crypto.randomFillSync = (array) => {
    fill(new Uint8Array(array.buffer, array.byteOffset, array.byteLength))
    return array
  }
  crypto.randomBytes = (size) => fill(Buffer.alloc(size))
  crypto.randomUUID = () => {
    const hex = fill(Buffer.alloc(16)).toString('hex')
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`
  }
  timersPromises.setTimeout = (ms, value, { signal } = {}) =>
    new Promise((resolve, reject) => {
      const stop = scheduler.add('pause', ms, () => resolve(value))
      signal?.addEventListener('abort', () => {
        stop()
        reject(signal.reason)
      })
    })
  AsyncLocalStorage.prototype.run = function (...given) {
    storages.add(this)
    return real.runInStorage.apply(this, given)
  }
  timersPromises.setImmediate = (value) => new Promise((resolve) => later('immediate', 0, () => resolve(value)))
  syncBuiltinESMExports()
  return restore
}

function restore() {
  dropStorages()
  AsyncLocalStorage.prototype.run = real.runInStorage
  Date.now = real.now
  performance.now = real.performanceNow
  Math.random = real.random
  for (const name of ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'clearImmediate'])
    globalThis[name] = real[name]
  crypto.randomBytes = real.randomBytes
  crypto.randomUUID = real.randomUUID
  crypto.randomFillSync = real.randomFillSync
  timersPromises.setTimeout = real.pause
  timersPromises.setImmediate = real.immediate
  syncBuiltinESMExports()
}
