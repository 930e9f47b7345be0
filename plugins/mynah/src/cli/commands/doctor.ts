// `mynah doctor`: what would keep a host from starting, each with what to do about it.
import { dirname, resolve } from 'node:path'
import type { Arguments } from '../arguments.js'
import { EXIT } from '../exit-codes.js'
import { checkConfiguration, checkData, checkNative, checkNode, checkPorts, checkToken, type Finding } from '../checks.js'

const MARKS: Readonly<Record<Finding['state'], string>> = { ok: 'ok  ', note: 'note', mend: 'MEND' }

export async function doctor({ config }: Arguments): Promise<number> {
  const file = resolve(config)
  const root = dirname(file)
  const findings = [checkNode(process.versions.node)]
  const { found, values } = await checkConfiguration(file, config)
  findings.push(...found)
  if (values) findings.push(await checkNative(root, values), ...await checkPorts(values), await checkToken(file, root), await checkData(root))
  for (const { state, subject, text, remedy } of findings) process.stdout.write(`${MARKS[state]}  ${subject}: ${text}\n${remedy ? `        ${remedy}\n` : ''}`)
  const count = findings.filter(({ state }) => state === 'mend').length
  process.stdout.write(count ? `\n${count} to mend\n` : '\nNothing to mend\n')
  return count ? EXIT.failure : EXIT.ok
}
