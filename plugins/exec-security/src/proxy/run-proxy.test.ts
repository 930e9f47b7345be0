// The way to the network: names alone, the checked address, and nothing of this machine.
import { expect } from 'chai'
import { mkdtemp, rm } from 'node:fs/promises'
import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '@mynah/kernel/testing'
import { addressProblem } from './addresses.js'
import { canonicalHost, hostRule, type HostRule } from './host-rules.js'
import { RunProxy, type Network } from './run-proxy.js'

const PUBLIC = '93.184.215.14'

/** A network of names, in which each address is a server of this machine. */
class TestNetwork implements Network {
  readonly names = new Map<string, string[][]>()
  readonly dialled: string[] = []
  /** How many names are looked up now, and how many were at most. */
  asked = 0
  most = 0
  answer: Promise<void> = Promise.resolve()
  readonly #port: number

  constructor(port: number) {
    this.#port = port
  }

  async addresses(name: string): Promise<readonly string[]> {
    const answers = this.names.get(name) ?? []
    this.most = Math.max(this.most, ++this.asked)
    await this.answer
    this.asked--
    return (answers.length > 1 ? answers.shift() : answers[0]) ?? []
  }

  dial(address: string, port: number) {
    this.dialled.push(`${address}:${port}`)
    return connect({ host: '127.0.0.1', port: this.#port })
  }

  own(): readonly string[] {
    return ['203.0.113.7']
  }
}

describe('RunProxy', () => {
  let folder: string
  let server: Server
  let network: TestNetwork
  const proxies: RunProxy[] = []

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mynah-proxy-'))
    server = createServer((asked, response) => response.end(`reached ${asked.headers.host} ${asked.url}`))
    await once(server.listen(0, '127.0.0.1'), 'listening')
  })
  after(async () => {
    server.close()
    await rm(folder, { recursive: true })
  })
  beforeEach(() => {
    network = new TestNetwork((server.address() as AddressInfo).port)
    network.names.set('a.example', [[PUBLIC]])
  })
  afterEach(async () => {
    for (const proxy of proxies.splice(0)) await proxy.close()
  })

  async function open(...rules: readonly string[]): Promise<RunProxy> {
    const made = await RunProxy.open(
      join(folder, `${proxies.length}.sock`),
      rules.map((rule) => hostRule(rule) as HostRule),
      network,
    )
    proxies.push(made)
    return made
  }

  /** Asks as programs do for `http://` addresses. */
  async function get(proxy: RunProxy, url: string): Promise<string> {
    const asked = request({ socketPath: proxy.path, path: url, headers: { host: 'forged.example' }, agent: false })
    asked.end()
    const [response] = (await once(asked, 'response')) as [NodeJS.ReadableStream & { statusCode: number }]
    let text = `${response.statusCode} `
    for await (const chunk of response) text += String(chunk)
    return text
  }

  /** Asks as programs do for `https://` addresses, and sends a plain request through the tunnel. */
  async function tunnel(proxy: RunProxy, target: string): Promise<string> {
    const socket = connect(proxy.path)
    socket.write(`CONNECT ${target} HTTP/1.1\r\n\r\n`)
    let text = ''
    for await (const chunk of socket) {
      text += String(chunk)
      if (text === 'HTTP/1.1 200 OK\r\n\r\n') socket.write('GET /in HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
    }
    return text
  }

  it('looks up one name at a time for a command, and two for all of them', async () => {
    let end = (): void => undefined
    network.answer = new Promise((resolve) => (end = resolve))
    const opened = [await open('*.example'), await open('*.example'), await open('*.example')]
    const answers = opened.flatMap((proxy) => Array.from({ length: 5 }, () => get(proxy, 'http://a.example/x')))
    await until(() => network.asked === 2)
    end()
    expect(new Set(await Promise.all(answers))).to.deep.equal(new Set(['200 reached a.example /x']))
    expect(network.most).to.equal(2)
  })

  it('reaches a listed host in both forms, under its own name', async () => {
    const proxy = await open('a.example')
    expect(await get(proxy, 'http://a.example/x?y')).to.equal('200 reached a.example /x?y')
    expect(await tunnel(proxy, 'A.EXAMPLE.:443')).to.contain('reached x /in')
    expect(network.dialled).to.deep.equal([`${PUBLIC}:80`, `${PUBLIC}:443`])
  })

  it('reports each destination once, with its bytes', async () => {
    const proxy = await open('a.example')
    for (let i = 0; i < 3; i++) await get(proxy, 'http://a.example/')
    await get(proxy, 'http://b.example/')
    await proxy.close()
    const [reached, refused, ...rest] = proxy.destinations
    expect(reached).to.deep.include({ host: 'a.example', port: 80, address: PUBLIC, allowed: true })
    expect(reached?.received).to.be.greaterThan(100)
    expect(refused).to.deep.include({ host: 'b.example', allowed: false, reason: 'it is not listed', mayAsk: true })
    expect(rest).to.deep.equal([])
  })

  it('dials the address that it has checked, whatever a second answer says', async () => {
    network.names.set('turns.example', [[PUBLIC], ['127.0.0.1']])
    const proxy = await open('turns.example')
    expect(await get(proxy, 'http://turns.example/')).to.contain('reached')
    expect(await get(proxy, 'http://turns.example/')).to.contain('403')
    expect(network.dialled).to.deep.equal([`${PUBLIC}:80`])
  })

  const LOCAL = {
    loopback: '127.0.0.1',
    'loopback by IPv6': '::1',
    'a mapped address': '::ffff:10.0.0.1',
    'the metadata service': '169.254.169.254',
    'a private network': '10.1.2.3',
    'a carrier’s network': '100.64.1.1',
    'a unique local address': 'fd12::1',
    'a link-local address': 'fe80::1',
    '6to4': '2002:7f00:1::',
    NAT64: '64:ff9b::7f00:1',
    'no address at all': '0.0.0.0',
    'this machine': '203.0.113.7',
  }
  for (const [name, address] of Object.entries(LOCAL)) {
    it(`refuses a listed name that leads to ${name}`, async () => {
      network.names.set('a.example', [[address]])
      const proxy = await open('a.example')
      expect(await get(proxy, 'http://a.example/')).to.match(/^403 /)
      expect(await tunnel(proxy, 'a.example:443')).to.match(/^HTTP\/1\.1 403 /)
      expect(network.dialled).to.deep.equal([])
    })
  }

  it('reaches a private network for a host that is listed as one, and never this machine', () => {
    expect(addressProblem('10.0.0.1', true, [])).to.equal(undefined)
    expect(addressProblem('fd12::1', true, [])).to.equal(undefined)
    expect(addressProblem('10.0.0.1', true, ['10.0.0.1'])).to.equal('it is this machine')
    for (const address of ['127.0.0.1', '::1', '169.254.169.254', '::ffff:127.0.0.1', 'fd00:ec2::254'])
      expect(addressProblem(address, true, []), address).to.equal('its address is local')
    for (const address of [PUBLIC, '8.8.8.8', '2606:4700::1111'])
      expect(addressProblem(address, false, []), address).to.equal(undefined)
  })

  it('refuses addresses in every spelling', async () => {
    const proxy = await open('*.example', 'a.example')
    const hosts = [
      '127.0.0.1',
      '2130706433',
      '0x7f000001',
      '0177.1',
      '127.1',
      '[::1]',
      '[::ffff:7f00:1]',
      '93.184.215.14',
    ]
    for (const host of hosts) {
      expect(await get(proxy, `http://${host}/`), host).to.match(/^40[03] /)
      expect(await tunnel(proxy, `${host}:80`), host).to.match(/^HTTP\/1\.1 40[03] /)
      expect(canonicalHost(host), host).to.equal(undefined)
    }
    expect(network.dialled).to.deep.equal([])
  })

  it('refuses ports, names and schemes that are not listed', async () => {
    network.names.set('b.example', [[PUBLIC]])
    const proxy = await open('a.example', 'b.example:8443')
    for (const target of ['a.example:22', 'b.example:443', 'xa.example:443', 'a.example.evil.example:443', 'a.example'])
      expect(await tunnel(proxy, target), target).to.match(/^HTTP\/1\.1 40[03] /)
    expect(await get(proxy, 'ftp://a.example/')).to.match(/^400 /)
    expect(await get(proxy, '/local')).to.match(/^400 /)
    expect(network.dialled).to.deep.equal([])
    expect(await tunnel(proxy, 'b.example:8443')).to.contain('reached')
  })

  it('opens one socket a run, and ends its connections with it', async () => {
    const [first, second] = [await open('a.example'), await open('b.example')]
    expect(await get(second, 'http://a.example/')).to.match(/^403 /)
    const socket = connect(first.path).resume()
    await once(socket, 'connect')
    const closed = once(
      socket.on('error', () => undefined),
      'close',
    )
    await first.close()
    await closed
  })
})
