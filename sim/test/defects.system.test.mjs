import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'

const DEFECTS = new URL('../prove/defects/', import.meta.url)
const ROOT = new URL('../../', import.meta.url)

const at = (path) => fileURLToPath(new URL(path, DEFECTS))

describe('The defects that can be put back', function () {
  // Each is played in a process of its own.
  this.timeout(120_000)

  for (const name of readdirSync(DEFECTS)) {
    it(`fit the built modules: ${name.replace('.mjs', '')}`, async () => {
      const { default: defect } = await import(new URL(name, DEFECTS))
      expect(defect.patches).to.not.have.length(0)
      for (const { file, from, to } of defect.patches) {
        const times = readFileSync(new URL(file, ROOT), 'utf8').split(from).length - 1
        expect(times, `"${from}" in ${file}`).to.equal(1)
        expect(to).to.not.equal(from)
      }
    })
    it(`are noticed in the history that showed them: ${name.replace('.mjs', '')}`, async () => {
      const defect = name.replace('.mjs', '')
      const args = ['--no-warnings', '--import', at('../register.mjs'), at('../replay.mjs'), defect]
      // Rejects with the findings where the defect is not noticed.
      await promisify(execFile)(process.execPath, args, { env: { ...process.env, SIM_DEFECT: defect } })
    })
  }
})
