// How often people are asked about commands of every day, by preset and level. The README shows the figures.
import { expect } from 'chai'
import { readFileSync, writeFileSync } from 'node:fs'
import { evaluateCommand, type ExecPolicy } from './index.js'
import { CORPUS } from '../test/families/corpus.js'
import { EVERYDAY_DEVELOPMENT, EVERYDAY_FULL, EVERYDAY_NETWORK, EVERYDAY_READONLY } from '../test/families/everyday.js'
import { HARMLESS } from '../test/families/harmless.js'
import { asking, development, network, readonly } from '../test/policies.js'

const ALLOWED = [...CORPUS.filter(({ expect: verdict }) => verdict === 'allow'), ...HARMLESS]

interface List {
  readonly name: string
  readonly policy: ExecPolicy
  readonly commands: readonly string[]
  /** The most that may be asked at level `wall` where the owner trusts it. */
  readonly atWall: number
}

const LISTS: readonly List[] = [
  { name: 'reading, `readonly`', policy: readonly, commands: EVERYDAY_READONLY, atWall: 0 },
  { name: 'reading and network, `network`', policy: network, commands: EVERYDAY_NETWORK, atWall: 8 },
  { name: 'development, `development`', policy: development, commands: EVERYDAY_DEVELOPMENT, atWall: 12 },
  { name: 'everything else, `development`', policy: development, commands: EVERYDAY_FULL, atWall: 5 },
  {
    name: 'harmless by the corpus, `development`',
    policy: development,
    commands: ALLOWED.map(({ command }) => command),
    // 18 of 288.
    atWall: Math.floor(ALLOWED.length / 16),
  },
]

const COLUMNS: readonly (readonly [string, Partial<ExecPolicy>])[] = [
  ['`wall`, `walled`', { level: 'wall', trust: 'walled' }],
  ['`wall`, `listed`', { level: 'wall', trust: 'listed' }],
  ['below, `text`', { level: 'none', unwalled: 'text' }],
  ['below, `ask`', { level: 'none', unwalled: 'ask' }],
]

const README = new URL('../../README.md', import.meta.url)
const MARKED = /(?<=<!-- questions:begin -->\n)[^]*(?=<!-- questions:end -->)/

const verdicts = new Map<string, readonly string[]>()

/** Returns the commands of a list that get a verdict. */
function withVerdict({ name, commands, policy }: List, over: Partial<ExecPolicy>, wanted: 'ask' | 'deny'): string[] {
  const key = `${name} ${JSON.stringify(over)}`
  const known =
    verdicts.get(key) ?? commands.map((command) => evaluateCommand(command, { ...asking(policy), ...over }).verdict)
  verdicts.set(key, known)
  return commands.filter((_, i) => known[i] === wanted)
}

function table(): string {
  const rows = LISTS.map((list) => {
    const asked = COLUMNS.map(([, over]) => withVerdict(list, over, 'ask').length)
    return [`${list.name}, ${list.commands.length}`, ...asked]
  })
  const lines = [['commands and preset', ...COLUMNS.map(([name]) => name)], ...rows].map(
    (row) => `| ${row.join(' | ')} |`,
  )
  lines.splice(1, 0, `|${'---|'.repeat(COLUMNS.length + 1)}`)
  return `${lines.join('\n')}\n`
}

describe('questions', () => {
  for (const list of LISTS)
    it(`are at most ${list.atWall} at level wall for ${list.commands.length} commands: ${list.name}`, () => {
      const asked = withVerdict(list, { level: 'wall', trust: 'walled' }, 'ask')
      expect(asked.length, asked.join('\n')).to.be.at.most(list.atWall)
    })

  it('are fewer the more holds a command', () => {
    for (const list of LISTS) {
      const asked = COLUMNS.map(([, over]) => withVerdict(list, over, 'ask').length)
      expect(asked, list.name).to.deep.equal([...asked].sort((a, b) => a - b))
    }
  })

  it('replace no denial: one command of all names the data directory', () => {
    for (const [name, over] of COLUMNS)
      expect(
        LISTS.slice(1).flatMap((list) => withVerdict(list, over, 'deny')),
        name,
      ).to.have.length(1)
  })

  it('are as many as the README says', () => {
    const text = readFileSync(README, 'utf8')
    const written = text.replace(MARKED, () => table())
    // `MYNAH_WRITE_README=1` with this test writes the table.
    if (process.env.MYNAH_WRITE_README !== undefined) writeFileSync(README, written)
    else expect(MARKED.exec(text)?.[0]).to.equal(table())
    expect(written).to.contain('commands and preset')
  })
})
