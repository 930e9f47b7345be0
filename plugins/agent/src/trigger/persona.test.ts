import { expect } from 'chai'
import { agentConflicts, agentMistakes } from './agent-conflicts.js'
import { beginsWithName, personaFor, personasIn, type Addressed, type MatchingAgents as Agents } from './persona.js'

const message = (words: string, more: Partial<Addressed> = {}): Addressed => ({
  adapter: 'test',
  endpoint: 'one',
  channel: { type: 'group', id: 'crew' },
  sender: { id: 'ann' },
  words,
  kinds: new Set(),
  ...more,
})
const nameOf = (agents: Agents, words = 'hello', more: Partial<Addressed> = {}): string | undefined =>
  personaFor(message(words, more), agents, '/')?.name

describe('agent of a message', () => {
  const crew = { match: { channel: ['crew'] } }

  it('is main where no other matches by its place', () => {
    expect(
      nameOf({ main: {}, vision: { match: { hasMedia: ['image'] } } }, 'x', { kinds: new Set(['image']) }),
    ).to.equal(undefined)
    expect(nameOf({ ada: { match: { channel: ['other'] } } })).to.equal(undefined)
  })

  for (const [what, match, fits] of [
    ['an endpoint', { endpoint: ['one'] }, true],
    ['an endpoint of an adapter', { endpoint: ['test|one'] }, true],
    ['another adapter', { endpoint: ['irc|one'] }, false],
    ['a channel of an endpoint', { channel: ['test|one|crew'] }, true],
    ['a channel of another endpoint', { channel: ['test|two|crew'] }, false],
    ['a user', { user: ['ben', 'ann'] }, true],
    ['a user of an endpoint', { user: ['test|one|ann'] }, true],
    ['all conditions', { endpoint: ['one'], channel: ['crew'], user: ['ann'] }, true],
    ['one condition that does not hold', { channel: ['crew'], user: ['ben'] }, false],
    ['media that are not there', { channel: ['crew'], hasMedia: ['image'] }, false],
  ] as const) {
    it(`${fits ? 'matches' : 'does not match'} by ${what}`, () => {
      expect(nameOf({ ada: { match: match as never } })).to.equal(fits ? 'ada' : undefined)
    })
  }

  it('of a channel answers in its threads', () => {
    const thread = { type: 'group', id: 't1', parent: { type: 'group', id: 'crew' } } as const
    expect(nameOf({ ada: crew }, 'hello', { channel: thread })).to.equal('ada')
  })

  it('is the most specific one: user, then channel, then endpoint, then priority, then the order', () => {
    const endpoint = { match: { endpoint: ['one'] }, priority: 9 }
    const user = { match: { user: ['ann'] } }
    expect(nameOf({ endpoint, crew, user })).to.equal('user')
    expect(nameOf({ endpoint, crew })).to.equal('crew')
    expect(nameOf({ a: crew, b: { ...crew, priority: 1 } })).to.equal('b')
    expect(nameOf({ a: crew, b: crew })).to.equal('a')
    expect(nameOf({ crew, both: { match: { channel: ['crew'], endpoint: ['one'] } } })).to.equal('both')
  })

  it('is the one that is named, among those that match', () => {
    const agents = { ada: { ...crew, priority: 1 }, Bob: crew, eve: { match: { channel: ['other'] } } }
    for (const words of ['Bob, hi', 'bob: hi', '@bob hi', 'BOB,hi', 'bob', '@Bob', 'Bob，你好', 'bob： 你好'])
      expect(nameOf(agents, words), words).to.equal('Bob')
    for (const words of ['Bob is nice', 'Bobby, hi', '@bobby hi', 'hi bob', '@@bob hi', 'eve, hi', ''])
      expect(personaFor(message(words), agents, '/'), words).to.deep.equal({ name: 'ada', isNamed: false })
  })

  it('has names of any script', () => {
    expect(beginsWithName('艾达，你好', '艾达')).to.equal(true)
    expect(beginsWithName('艾达你好', '艾达')).to.equal(false)
  })

  it('is found by its command, and by nothing else where it has one', () => {
    const agents = { ada: crew, coder: { match: { channel: ['crew'], command: ['code', '编程'] } } }
    expect(personaFor(message('/code fix it\nnow'), agents, '/')).to.deep.equal({
      name: 'coder',
      isNamed: true,
      commandText: 'fix it\nnow',
    })
    expect(personaFor(message('/编程 x'), agents, '/')).to.include({ name: 'coder', commandText: 'x' })
    expect(nameOf(agents, '/CODE x')).to.equal('coder')
    for (const words of ['code fix', '/coder x', '/ code', 'coder, hi', '/'])
      expect(nameOf(agents, words)).to.equal('ada')
    expect(nameOf(agents, '/code x', { channel: { type: 'group', id: 'other' } })).to.equal(undefined)
  })

  it('is not found by words that are made to be slow', () => {
    expect(nameOf({ ada: crew }, `@${'a'.repeat(100_000)}`)).to.equal('ada')
    expect(nameOf({ ada: crew }, `/${'-'.repeat(100_000)} x`)).to.equal('ada')
    expect(nameOf(JSON.parse('{"__proto__":{"match":{"channel":["crew"]}}}') as Agents)).to.equal('__proto__')
  })

  it('are all that match in a chat', () => {
    const agents = { eve: { match: { channel: ['other'] } }, ada: crew, bob: { ...crew, priority: 1 } }
    expect(personasIn(message('x'), agents)).to.deep.equal(['bob', 'ada'])
  })
})

describe('conflicts of agents', () => {
  const crew = { match: { channel: ['crew'] } }

  it('are the same messages as specifically and with the same priority', () => {
    expect(agentConflicts({ ada: crew, bob: crew })).to.deep.equal([
      {
        path: 'ai.agents.bob.match',
        message: 'fits the same messages as ada, which answers those without a name; set a priority',
      },
    ])
    expect(agentConflicts({ ada: crew, bob: { match: { channel: ['test|one|crew'] } } })).to.have.length(1)
    const code = { match: { command: ['code'] } }
    expect(agentConflicts({ ada: code, bob: { match: { command: ['Code', 'x'] } } })).to.have.length(1)
  })

  it('are none where one is more specific, has a priority, or answers elsewhere', () => {
    expect(agentConflicts({ ada: crew, bob: { ...crew, priority: 1 } })).to.be.empty
    expect(agentConflicts({ ada: crew, bob: { match: { channel: ['crew'], user: ['ann'] } } })).to.be.empty
    expect(agentConflicts({ ada: crew, bob: { match: { channel: ['other'] } } })).to.be.empty
    expect(agentConflicts({ main: {}, vision: { match: { hasMedia: ['image'] } } })).to.be.empty
  })

  it('names that cannot be folders are mistakes', () => {
    for (const name of ['../x', 'a/b', '.', '..', 'a b', '', 'x'.repeat(65), 'a\0', 'c:', 'a\\b', '|'])
      expect(agentMistakes({ [name]: crew }), JSON.stringify(name)).to.have.length(1)
    expect(agentMistakes({ Ada: crew, ada: crew })[0]?.message).to.equal('differs from Ada in case only')
    expect(agentMistakes({ '../x': {}, 'draw it': { match: { hasMedia: ['image'] } }, 艾达: crew, 'b-2': crew })).to.be
      .empty
  })
})
