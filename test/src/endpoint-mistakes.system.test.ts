// Shows that a wrong option of an account is found before it connects, everywhere a configuration is checked.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { freePort, until } from '@mynah/kernel/testing'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const MYNAH = join(ROOT, 'plugins/mynah/bin/mynah.js')
const TOKEN = 'a-token-for-a-host-under-test'
const UNKNOWN = 'endpoints[0].nik is not known here; did you mean "nick"?'

describe('a wrong option of an account', () => {
  let folder: string
  let config: string
  let port: number
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mynah-nik-'))
    port = await freePort()
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    config = `plugins: [http-core, console-rpc, events, workspace, chat, adapter-irc]
http: { port: ${port}, token: ${TOKEN} }
endpoints:
  - adapter: irc
    id: net
    host: 127.0.0.1
    nik: mynah
`
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  const write = (text: string): Promise<void> => writeFile(join(folder, 'mynah.config.yml'), text)
  const mynah = async (...args: string[]): Promise<{ code: number; out: string }> => {
    try {
      return { code: 0, out: (await promisify(execFile)(process.execPath, [MYNAH, ...args], { cwd: folder })).stdout }
    } catch (error) {
      const { code, stdout } = error as { code: number; stdout: string }
      return { code, out: stdout }
    }
  }

  it('is named by config check and doctor, with file, line, key and the nearest key', async () => {
    await write(config)
    const { code, out } = await mynah('config', 'check')
    expect(code, out).to.equal(2)
    expect(out).to.contain(`mynah.config.yml:7: ${UNKNOWN}`).and.to.contain('endpoints[0].nick is required')
    expect((await mynah('doctor')).out).to.contain(`mynah.config.yml:7: ${UNKNOWN}`)
  })

  it('is named by the start, which goes on, by reload, and by the review of the console, which refuses it', async () => {
    await write(config)
    const child = spawn(process.execPath, [MYNAH, 'start'], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text
      })
    const ended = once(child, 'exit')
    const save = async (yaml: string): Promise<{ error?: string; details?: { path: string; message: string }[] }> =>
      (await (
        await fetch(`http://127.0.0.1:${port}/api/console/request`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${TOKEN}` },
          body: JSON.stringify({ type: 'config:save-yaml', requestId: 1, yaml }),
        })
      ).json()) as object
    try {
      await until(() => said.includes('plugins are up'), 'the host')
      expect(said).to.contain(JSON.stringify(`mynah.config.yml:7: ${UNKNOWN}`).slice(1, -1))
      expect((await mynah('reload')).out).to.contain(`mynah.config.yml:7: ${UNKNOWN}`)
      // Mistakes that the file has already block no other change.
      const right = config.replace('nik:', 'nick:').replace('host: 127.0.0.1', 'host: 127.0.0.1\n    tls: false')
      expect(await save(right)).not.to.have.property('error')
      const refused = await save(right.replace('nick:', 'nikc:'))
      expect(refused.details?.map(({ message }) => message)).to.include(
        'endpoints[0].nikc is not known here; did you mean "nick"?',
      )
    } finally {
      child.kill('SIGTERM')
      await ended
    }
  })
})
