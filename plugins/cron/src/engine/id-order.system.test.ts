import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'chai'

/** Runs a module in a process of its own, because the order of ids belongs to the process. */
async function printed(code: string): Promise<unknown> {
  const source = `
    import { newId } from '@mynah/database-api'
    import { continueIdsAfter } from ${JSON.stringify(new URL('id-order.js', import.meta.url).href)}
    ${code}`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', source], {
    cwd: new URL('.', import.meta.url),
  })
  return JSON.parse(stdout)
}
// The id of a process whose clock was a day ahead.
const ahead = "const ahead = (Date.now() + 86_400_000).toString(36).padStart(9, '0') + '00zz' + 'zzzzzzz'"

describe('continueIdsAfter', () => {
  it('makes new ids sort after one that a clock ahead has made', async () => {
    expect(
      await printed(`${ahead}
        const before = newId()
        continueIdsAfter(ahead)
        const after = [newId(), newId()]
        console.log(JSON.stringify([before < ahead, ahead < after[0], after[0] < after[1]]))`),
    ).to.deep.equal([true, true, true])
  })

  it('ignores ids of another form', async () => {
    expect(
      await printed(`${ahead}
        for (const id of [undefined, 'heartbeat', 'zzzzzzzzzzzzzzzzzzzzz', 'ZZZZZZZZZZZZZZZZZZZZ']) continueIdsAfter(id)
        console.log(JSON.stringify(newId() < ahead))`),
    ).to.equal(true)
  })
})
