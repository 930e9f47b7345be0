// People who answer what the host asks them, sooner or later or never.

const QUESTION = /\bwhich ([a-z]\d+)\?/
/** The command that approves a request: in the text, or on a button. */
const REQUEST = /\/approve ([0-9a-f]{10})/

/** What an owner says to a request: mostly yes. */
const VERDICTS = ['yes', '/approve <id>', '/approve <id>', 'no', '/approve deny <id>']

export class People {
  #world
  #answered = new Set()
  #count = 0

  constructor(world) {
    this.#world = world
  }

  /** Called for each message that a platform shows. */
  saw(platform, { channel, texts, segments }) {
    const about = QUESTION.exec(texts.at(-1))?.[1]
    if (about !== undefined) this.#answer(platform, channel, about, () => `blue ${about}`)
    const request = REQUEST.exec(JSON.stringify(segments))?.[1]
    if (request !== undefined) this.#answer(platform, channel, request, (verdict) => verdict.replace('<id>', request))
  }

  #answer(platform, channel, about, wordsFor) {
    if (this.#answered.has(about)) return
    this.#answered.add(about)
    const { delay, fault } = this.#world.boundaries.decide('answer')
    const verdict = VERDICTS[Math.floor(this.#world.boundaries.extra('answer') * VERDICTS.length)]
    if (fault === 'never') return
    const from = channel.type === 'private' ? channel.id : 'ann'
    const own = `a${++this.#count}`
    this.#world.scheduler.add('a person answers', delay, () => platform.write(own, from, channel, wordsFor(verdict)), 0)
  }
}
