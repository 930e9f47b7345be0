// Milliseconds of this process for a decision about a command: `npm run bench -- 50 exec`, or
// `node bench/exec/decisions.mjs`.
import { evaluateCommand } from '../../plugins/exec-security/dist/policy/index.js'
import { CODE_FAMILIES } from '../../plugins/exec-security/dist/test/families/code.js'
import { DESCRIPTOR_FAMILIES } from '../../plugins/exec-security/dist/test/families/descriptors.js'
import { EVERYDAY_DEVELOPMENT, EVERYDAY_READONLY } from '../../plugins/exec-security/dist/test/families/everyday.js'
import { FILE_FAMILIES } from '../../plugins/exec-security/dist/test/families/files.js'
import { MACHINE_FAMILIES } from '../../plugins/exec-security/dist/test/families/machine.js'
import { development, policy } from '../../plugins/exec-security/dist/test/policies.js'

const families = [...FILE_FAMILIES, ...CODE_FAMILIES, ...MACHINE_FAMILIES, ...DESCRIPTOR_FAMILIES]
const CASES = {
  'ordinary commands': [...EVERYDAY_DEVELOPMENT, ...EVERYDAY_READONLY].map((line) => [line, development]),
  attacks: families.flatMap(({ attacks }) => attacks.map(({ command, policy: over }) => [command, policy(over)])),
}

for (const [name, commands] of Object.entries(CASES)) {
  for (const [command, by] of commands) evaluateCommand(command, by)
  const took = commands
    .map(([command, by]) => {
      const began = process.cpuUsage()
      evaluateCommand(command, by)
      const { user, system } = process.cpuUsage(began)
      return (user + system) / 1000
    })
    .sort((a, b) => a - b)
  const at = (share) => took[Math.min(took.length - 1, Math.floor(took.length * share))]
  console.log(
    JSON.stringify({
      case: `a decision: ${name}`,
      median_ms: at(0.5),
      p99_ms: at(0.99),
      slowest_ms: at(1),
      commands: took.length,
    }),
  )
}
