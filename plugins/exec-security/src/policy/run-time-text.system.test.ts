// Really runs lines that are let through, in folders of hostile names and outputs: none does more than it was allowed.
import { expect } from 'chai'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { CanaryFolder } from '../test/canary-folder.js'
import { Random } from '../test/differential/generate.js'
import { cases } from '../test/long.js'
import { hostileFiles, runTimeLine } from '../test/run-time-text/generate.js'

const LINES = Number(process.env.MYNAH_RUN_TIME_TEXT ?? cases(300, 5000))
const SEED = Number(process.env.MYNAH_DIFFERENTIAL_SEED ?? 20260101)
/** Lines that are tried in the same folder. */
const EACH = 25
/** Of those that are not let through, one in so many is run as well, to see that the folders do harm. */
const BARE = 8
/** Nothing of it writes, so the folder is afterwards what it was. */
const LISTED = {
  execPreset: 'readonly',
  execAllowlist: 'echo printf test [ sort awk sed cut xargs read basename tr git seq nproc'.split(' '),
} as const

/** Every entry of a folder with its size and time. */
async function stateOf(folder: string): Promise<string> {
  const names = (await readdir(folder, { recursive: true })).sort()
  const lines = names.map(async (name) => {
    const { size, mtimeMs, mode } = await stat(join(folder, name))
    return `${name} ${size} ${mode} ${mtimeMs}`
  })
  return (await Promise.all(lines)).join('\n')
}

describe('evaluateCommand: text that is known only at run time', function () {
  this.timeout(600_000)
  const folder = new CanaryFolder()
  before(function () {
    if (process.platform !== 'linux') return this.skip()
    return folder.build()
  })
  after(() => folder.remove())

  it(`lets none of ${LINES} lines with hostile names and outputs do more than it was allowed`, async () => {
    const random = new Random(SEED)
    const broken: string[] = []
    const count = { allowed: 0, bare: 0, harmful: 0 }
    let before = ''
    for (let i = 0; i < LINES; i++) {
      if (i % EACH === 0 || before === '') {
        await folder.fill(hostileFiles(random))
        before = await stateOf(folder.root)
      }
      const line = runTimeLine(random)
      const isAllowed = folder.decide(line, LISTED).verdict === 'allow'
      if (!isAllowed && i % BARE > 0) continue
      const { read, output } = await folder.runAsHost(line)
      const hasChanged = (await stateOf(folder.root)) !== before
      if (hasChanged) before = ''
      const harms = read || hasChanged
      if (isAllowed) count.allowed += 1
      else count.bare += 1
      if (harms && !isAllowed) count.harmful += 1
      if (harms && isAllowed) broken.push(`${line}  # ${read ? 'reads' : 'changes'}: ${output.slice(0, 200)}`)
    }
    if (process.env.MYNAH_EXEC_LONG !== undefined)
      console.log(`      ${count.allowed} allowed and run; of ${count.bare} others ${count.harmful} did harm`)
    expect(broken).to.deep.equal([])
    expect(count.allowed, 'many lines are let through').to.be.greaterThan(LINES / 10)
    expect(count.harmful, 'the folders do harm').to.be.greaterThan(0)
  })
})
