// Ordinary commands of chat users, administrators and developers: refusing them would be as much a failure as an attack
// let through.
import { expect } from 'chai'
import { evaluateCommand } from './index.js'
import {
  EVERYDAY_DEVELOPMENT,
  EVERYDAY_FULL,
  EVERYDAY_NETWORK,
  EVERYDAY_OWNER,
  EVERYDAY_READONLY,
} from '../test/families/everyday.js'
import { ORDINARY_DEVELOPMENT, ORDINARY_NETWORK, ORDINARY_READONLY } from '../test/families/ordinary.js'
import { development, full, network, policy as policyOf, readonly } from '../test/policies.js'

const OWNER =
  'echo printf sort uniq cut tr sed awk jq tar zip unzip gzip rsync make cp mv ln rm mkdir touch chmod tee diff docker kubectl ssh scp psql sqlite3 less man vim perl ruby php rg fd split xxd base64 systemctl journalctl cargo go npm node git bash sh test [ cd bc ps top python3 cmake gcc ansible terraform helm'
const owner = policyOf({ execAllowlist: OWNER.split(' ') })
/** With the number of those that are not allowed: their text is known only when they run, or code that is not read. */
const LISTS = [
  ['readonly', readonly, [...ORDINARY_READONLY, ...EVERYDAY_READONLY], 24],
  ['network', network, [...ORDINARY_NETWORK, ...EVERYDAY_NETWORK], 9],
  ['development', development, [...ORDINARY_DEVELOPMENT, ...EVERYDAY_DEVELOPMENT], 13],
  ['the list of an owner', owner, [...EVERYDAY_OWNER, ...EVERYDAY_READONLY], 29],
  ['full', full, [...EVERYDAY_FULL, ...EVERYDAY_READONLY, ...EVERYDAY_DEVELOPMENT], 1],
] as const

describe('presets', () => {
  for (const [name, policy, commands, rest] of LISTS) {
    it(`pass under ${name}: ${commands.length}, and ask about ${rest} whose text is not known`, () => {
      expect(commands.length).to.be.at.least(500)
      const refused = commands
        .map((command) => ({ command, ...evaluateCommand(command, policy) }))
        .filter(({ verdict }) => verdict !== 'allow')
      expect(refused.length, refused.map(({ command, reason }) => `${command}  # ${reason}`).join('\n')).to.be.at.most(
        rest,
      )
    })
  }
})
