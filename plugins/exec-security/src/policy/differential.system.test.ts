// Compares the walk with real bash: every command that bash runs must be among those that the policy judged.
import { expect } from 'chai'
import { baseName } from './blacklist.js'
import { evaluateCommand } from './index.js'
import { isShell } from './programs/shells.js'
import { Resolver } from './resolve.js'
import { walkText } from './walk.js'
import { Budget } from './budget.js'
import { newWalk } from './walk-types.js'
import { generateProgram, Random } from '../test/differential/generate.js'
import { traceCommands } from '../test/differential/trace.js'
import { cases } from '../test/long.js'
import { full } from '../test/policies.js'

const PROGRAMS = Number(process.env.MYNAH_DIFFERENTIAL ?? cases(80, 1000))
const SEED = Number(process.env.MYNAH_DIFFERENTIAL_SEED ?? 20260101)

/** The command words that the policy sees, or undefined where it refuses the text. */
function seen(program: string): Set<string> | undefined {
  if (evaluateCommand(program, full).verdict === 'deny') return undefined
  const walk = newWalk(new Budget())
  walkText(program, walk)
  const resolver = new Resolver(walk)
  const names = new Set<string>()
  for (const unit of walk.units) {
    if (unit.kind !== 'command') continue
    for (const resolved of resolver.resolve(unit)) {
      if (resolved.kind !== 'command') continue
      const [first, ...args] = resolved.words
      const name = baseName(first?.value ?? '')
      names.add(name)
      // A script file is opaque to the policy. Here it may be a stub.
      if (isShell(name)) for (const arg of args) names.add(arg.value ?? '')
    }
  }
  return names
}

describe('evaluateCommand: differential test with bash', function () {
  this.timeout(300_000)

  it(`finds every command that bash runs in ${PROGRAMS} generated programs`, async () => {
    const random = new Random(SEED)
    const programs = Array.from({ length: PROGRAMS }, () => generateProgram(random).replaceAll('\0', ''))
    const half = Math.ceil(programs.length / 2)
    const ran = (
      await Promise.all([traceCommands(programs.slice(0, half)), traceCommands(programs.slice(half))])
    ).flat()
    const missed: string[] = []
    let running = 0
    let refused = 0
    programs.forEach((program, i) => {
      const executed = ran[i] ?? new Set()
      if (executed.size > 0) running += 1
      const names = seen(program)
      if (names === undefined) {
        if (executed.size > 0) refused += 1
        return
      }
      for (const name of executed) if (!names.has(name)) missed.push(`${name} in ${JSON.stringify(program)}`)
    })
    if (process.env.MYNAH_DIFFERENTIAL !== undefined)
      console.log(`      ${running} programs ran a command; ${refused} of them were refused unread`)
    expect(missed).to.deep.equal([])
    expect(running, 'most programs run something').to.be.greaterThan(programs.length / 2)
    expect(refused, 'few runnable programs are refused').to.be.lessThan(running / 3)
  })
})
