// Tests the notes of the doctor about the level at which commands run.
import { expect } from 'chai'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkSandbox } from './doctor.js'
import { findProgram } from './view/tools.js'

const { PATH = '' } = process.env

describe('checkSandbox()', function () {
  this.timeout(60_000)
  afterEach(() => {
    process.env.PATH = PATH
  })

  /** Leaves bash and perl, as in many containers. */
  async function withoutBwrap(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'mynah-few-'))
    for (const name of ['bash', 'perl']) {
      const found = await findProgram(name, PATH)
      if (found !== undefined) await symlink(found, join(folder, name))
    }
    process.env.PATH = folder
    return folder
  }

  it('tells what the level changes, and what undoes it', async () => {
    const folder = await withoutBwrap()
    const found = async (settings: object) =>
      (await checkSandbox({ execSecurity: 'allowlist', ...settings })).map(({ state, text }) => `${state} ${text}`)
    const before = await found({})
    expect(before[0]).to.match(/^note level (?:files|none): .*bwrap is not installed/)
    expect(before[1]).to.match(/^note at level (?:files|none), listed commands are asked about unless/)
    const undone = await found({ execUnwalled: 'text' })
    expect(undone[1]).to.match(/^mend execUnwalled is text/)
    process.env.PATH = PATH
    await rm(folder, { recursive: true })
    const [here] = await found({})
    if (here?.startsWith('ok')) expect(here).to.contain('execView.home').and.contain('execHosts')
  })
})
