// Runs the plugin in a real host, which the command line starts with the configuration file of this folder.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { access, cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { createClient, HostError } from '@mynah/sdk'
import type { greeter } from './contract.js'

const here = fileURLToPath(new URL('..', import.meta.url))
const token = 'a-token-for-the-greeter-test'

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

describe('the greeter in a host', function () {
  this.timeout(60_000)
  let folder: string
  let child: ChildProcess
  let client: ReturnType<typeof connect>
  let said = ''
  const connect = (base: string) => createClient({ base, token }).with<typeof greeter>()

  before(async () => {
    const port = await freePort()
    folder = await mkdtemp(join(tmpdir(), 'mynah-greeter-'))
    for (const part of ['package.json', 'dist', 'client'])
      await cp(join(here, part), join(folder, part), { recursive: true })
    const config = await readFile(join(here, 'mynah.config.yml'), 'utf8')
    await writeFile(join(folder, 'mynah.config.yml'), config.replace(/port: \d+/, `port: ${port}`))
    const manifest = createRequire(import.meta.url).resolve('mynah/package.json')
    // Packages are found from the folder of the configuration upwards.
    await symlink(await modulesOf(here), join(folder, 'node_modules'))
    child = spawn(process.execPath, [join(dirname(manifest), 'dist/cli/main.js'), 'start'], {
      cwd: folder,
      env: { ...process.env, HTTP_TOKEN: token },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    await new Promise<void>((resolve, reject) => {
      const hear = (data: Buffer): void => {
        said += data.toString()
        if (/(\d+) of \1 plugins are up/.test(said)) resolve()
      }
      child.stdout?.on('data', hear)
      child.stderr?.on('data', hear)
      child.once('exit', (code) => reject(new Error(`The host ended with ${code}: ${said}`)))
    })
    client = connect(`http://127.0.0.1:${port}`)
  })
  after(async () => {
    client?.close()
    if (child && child.exitCode === null) {
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
    await rm(folder, { recursive: true, force: true })
  })

  it('answers its RPC method with the greeting of the configuration, and counts', async () => {
    expect(await client.rpc('greeter:greet', { name: 'Ada' })).to.deep.equal({ text: 'Welcome, Ada!', times: 1 })
    expect(await client.rpc('greeter:greet', { name: 'Ada' })).to.deep.equal({ text: 'Welcome again, Ada!', times: 2 })
    expect((await client.rest('GET /greeter')).find(({ name }) => name === 'Ada')).to.deep.equal({
      name: 'Ada',
      times: 2,
    })
  })

  it('refuses what its contract does not allow', async () => {
    const error = await client.rpc('greeter:greet', { name: '' }).then(
      () => undefined,
      (failure: unknown) => failure,
    )
    expect(error).to.be.instanceOf(HostError).and.to.include({ status: 400, code: 'invalid_request' })
  })

  it('greets in chat', async () => {
    const channel = { type: 'private' as const, id: 'bob' }
    const answer = new Promise<string>((resolve) => {
      const end = client.events.on('sandbox:message', ({ text }) => {
        end()
        resolve(text)
      })
    })
    await new Promise<void>((resolve) => {
      if (client.events.state.status === 'live') return resolve()
      const end = client.events.onState(({ status }) => {
        if (status === 'live') {
          end()
          resolve()
        }
      })
    })
    await client.rpc('sandbox:send', {
      endpointId: 'sandbox',
      channel,
      sender: { id: 'bob', name: 'Bob' },
      content: '/greet',
    })
    expect(await answer).to.equal('Welcome, Bob!')
  })

  it('offers its page to the console, and the host serves it', async () => {
    const entry = (await client.rpc('entries:get')).find(({ id }) => id === 'greeter')
    expect(entry).to.deep.include({
      id: 'greeter',
      enabled: true,
      meta: { name: 'Greeter', version: '0.1.0', plugin: 'greeter' },
    })
    const response = await fetch(client.base + entry?.resolvedModule)
    expect(response.status).to.equal(200)
    expect(await response.text())
      .to.match(/from\s*["']@mynah\/console\/ui@1["']/)
      .and.to.contain('/greeter')
  })

  it('is part of the OpenAPI document of the host', async () => {
    const document = (await (await fetch(`${client.base}/pub/openapi.json`)).json()) as {
      paths: Record<string, unknown>
    }
    expect(document.paths).to.have.property('/api/greeter')
  })
})

/** Returns the folder of packages that is nearest to `folder`. */
async function modulesOf(folder: string): Promise<string> {
  const modules = join(folder, 'node_modules')
  const found = await access(join(modules, 'mynah')).then(
    () => true,
    () => false,
  )
  if (found || dirname(folder) === folder) return modules
  return modulesOf(dirname(folder))
}
