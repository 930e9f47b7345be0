// People who answer the questions that the host asks them, sooner or later or never.

const QUESTION = /\bwhich ([a-z]\d+)\?/

export class People {
  #world
  #answered = new Set()
  #count = 0

  constructor(world) {
    this.#world = world
  }

  /** Called for each message that a platform shows. */
  saw(platform, { channel, texts }) {
    const about = QUESTION.exec(texts.at(-1))?.[1]
    if (about === undefined || this.#answered.has(about)) return
    this.#answered.add(about)
    const { delay, fault } = this.#world.boundaries.decide('answer')
    if (fault === 'never') return
    const from = channel.type === 'private' ? channel.id : 'ann'
    const own = `a${++this.#count}`
    this.#world.scheduler.add('a person answers', delay, () => platform.write(own, from, channel, `blue ${about}`), 0)
  }
}
