// Families of attacks: each variant is refused, and bash proves of those that it can that they are attacks.
import { expect } from 'chai'
import { skipBecause } from '@mynah/kernel/testing'
import { evaluateCommand, type OwnerRules } from './index.js'
import { RULE_FAMILIES } from '../test/families/around-rules.js'
import { CODE_FAMILIES } from '../test/families/code.js'
import { DESCRIPTOR_FAMILIES } from '../test/families/descriptors.js'
import { DETOUR_FAMILIES } from '../test/families/detours.js'
import { FILE_FAMILIES } from '../test/families/files.js'
import type { Attack, Family } from '../test/families/family.js'
import { MACHINE_FAMILIES } from '../test/families/machine.js'
import { ProvingGround, cannotProve } from '../test/families/prove.js'
import { MARKS, whyUnproven } from '../test/families/unproven.js'
import { LONG, cases } from '../test/long.js'
import { policy } from '../test/policies.js'

/** How many variants of a family bash runs; all of them in the long form. */
const PROVEN = cases(3, Infinity)
const RULES: OwnerRules = { bashAlways: false, bashRules: [{ id: 'rule', pattern: 'make test' }] }
const ALL: readonly Family[] = [
  ...FILE_FAMILIES,
  ...CODE_FAMILIES,
  ...RULE_FAMILIES,
  ...MACHINE_FAMILIES,
  ...DESCRIPTOR_FAMILIES,
  ...DETOUR_FAMILIES,
]

const rulesOf = ({ name }: Family): OwnerRules | undefined => (name.startsWith('owner rules') ? RULES : undefined)

describe('evaluateCommand: attacks', () => {
  for (const family of ALL) {
    it(`allows none of ${family.attacks.length} variants: ${family.name}`, () => {
      expect(family.attacks.length).to.be.at.least(100)
      const allowed: string[] = []
      for (const { command, policy: over } of family.attacks) {
        const { verdict } = evaluateCommand(command, policy(over), rulesOf(family))
        if (verdict === 'allow') allowed.push(command)
      }
      expect(allowed).to.deep.equal([])
    })
  }

  // At level `wall` the view holds what words do. Below it, only commands that provably read are let through.
  for (const family of ALL)
    it(`allows none where nothing holds it, and none of those against full or rules anywhere: ${family.name}`, () => {
      const allowed: string[] = []
      for (const { command, policy: over } of family.attacks)
        for (const level of over.execSecurity === 'full' || rulesOf(family)
          ? (['wall', 'none'] as const)
          : (['none'] as const))
          if (
            evaluateCommand(command, policy({ ...over, level, unwalled: 'ask' }), rulesOf(family)).verdict === 'allow'
          )
            allowed.push(`${level}: ${command}`)
      expect(allowed).to.deep.equal([])
    })

  describe('in bash', () => {
    const ground = new ProvingGround()
    before(function () {
      if (cannotProve() !== undefined) return skipBecause(this, cannotProve())
      return ground.build()
    })
    after(() => ground.clear())

    it('has an attack for every mark', () => {
      const commands = ALL.flatMap(({ attacks }) => attacks.map(({ command }) => command))
      expect(MARKS.filter(([mark]) => !commands.some((command) => mark.test(command))).map(String)).to.deep.equal([])
    })

    for (const family of ALL) {
      const open = family.attacks.filter(({ proof }) => typeof proof !== 'object')
      const step = Math.max(1, Math.ceil(open.length / PROVEN))
      const chosen: readonly Attack[] = open.filter((_, i) => i % step === 0)
      it(`proves ${chosen.length} of ${open.length} to be attacks: ${family.name}`, async function () {
        this.timeout(LONG ? 1_800_000 : 300_000)
        const failed: string[] = []
        const reasons = new Map<string, number>()
        for (const attack of chosen) {
          const { proven, output } = await ground.tries(attack, family.name === 'names of files are options')
          const reason = whyUnproven(attack, output)
          if (!proven && reason === undefined) failed.push(`${attack.command}  # ${output.slice(0, 200)}`)
          if (!proven) reasons.set(reason ?? '', (reasons.get(reason ?? '') ?? 0) + 1)
        }
        expect(failed, 'neither proven nor with a reason').to.deep.equal([])
        if (LONG) console.log([...reasons].map(([reason, count]) => `        ${count}: ${reason}`).join('\n'))
      })
    }
  })
})
