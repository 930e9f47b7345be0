// Tests the notes of the doctor about the level at which commands run.
import { expect } from 'chai'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkSandbox } from './doctor.js'
import { hostFolder } from './test/host-folder.js'
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

  it('names a level that the machine once had, and folders that decide over the host', async () => {
    const folder = await withoutBwrap()
    const host = await hostFolder({ 'data/exec-level': 'wall\n' })
    try {
      const execView = {
        read: [host.root, '/usr/share'],
        write: [join(host.root, 'plugins')],
        tools: 'no list',
      }
      const found = (await checkSandbox({ execSecurity: 'full', execView }, host.root)).map(({ text }) => text)
      expect(found.find((text) => text.startsWith('commands were held at level wall'))).to.match(
        /only at (?:files|none)/,
      )
      expect(found.filter((text) => text.includes('execView'))).to.deep.equal([
        `ai.agent.execView.read: ${host.root} holds files that decide over this host`,
        `ai.agent.execView.write: ${join(host.root, 'plugins')} decides over this host`,
      ])
      const decided = await checkSandbox({ execSecurity: 'full', execLevel: 'none' }, host.root)
      expect(decided.filter(({ state }) => state === 'mend')).to.deep.equal([])
    } finally {
      process.env.PATH = PATH
      await rm(folder, { recursive: true })
      await host.remove()
    }
  })

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
