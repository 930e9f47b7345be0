// The steps of a history: acts of people, of the machine and of the platforms.

const CHANNEL = { room: { type: 'group', id: 'room' } }

const STEPS = {
  write(world, { platform, id, from, text, to }) {
    const channel = to ? CHANNEL[to] : { type: 'private', id: from }
    world.platforms[platform].write(id, from, channel, text)
  },
  crash(world) {
    world.crash('as planned')
  },
  stop(world) {
    world.shutDown()
  },
  job(world, step) {
    world.jobs.add(step)
  },
  away(world, { ms }) {
    world.takeStoreAway(ms)
  },
  held(world, { ms }) {
    world.holdStore(ms)
  },
  offline(world, { platform, ms }) {
    world.platforms[platform].goOffline(ms)
  },
  leap(world, { ms }) {
    world.recorder.line(`the clock leaps by ${ms} ms`)
    world.leap += ms
  },
}

export function perform(world, step) {
  STEPS[step.do](world, step)
}
