import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { AnyPlugin, PluginEntry } from '@mynah/kernel'
import cron from '@mynah/plugin-cron'
import { Jobs } from '@mynah/plugin-cron/api'
import memory from '@mynah/plugin-memory'
import skills from '@mynah/plugin-skills'
import toolbox from '@mynah/plugin-toolbox'
import { both, eachTest, until } from './support.js'

const HOURS = 48
const plain = (plugin: unknown): AnyPlugin => plugin as AnyPlugin
const plugins: PluginEntry[] = [
  { plugin: plain(cron), config: {} },
  { plugin: plain(memory), config: { 'ai.memory': {} } },
  { plugin: plain(skills), config: { 'ai.skills': {} } },
  { plugin: plain(toolbox), config: { 'ai.toolbox': {} } },
]

describe('an idle host', () => {
  const hosts = eachTest()

  for (const [name, list, asks] of [
    ['without a list', undefined, false],
    [
      'with a list of headings and done boxes',
      '# Look after\n\n- [x] the plants\n- [ ]\n<!-- - feed the cat -->\n',
      false,
    ],
    ['with something to look after, which is the counter-proof', '- the plants\n', true],
  ] as const) {
    it(`asks ${asks ? 'a' : 'no'} model in two days ${name}`, async function (): Promise<void> {
      this.timeout(60_000)
      const root = await mkdtemp(join(tmpdir(), 'mynah-rest-'))
      if (list !== undefined) await writeFile(join(root, 'HEARTBEAT.md'), list)
      const { host, models } = await hosts.start(
        both(
          Array.from({ length: 500 }, (_, index) => (index === 0 ? 'hello' : 'HEARTBEAT_OK')),
          [],
        ),
        { plugins, root },
      )
      if (list !== undefined) await until(() => host.host.get(Jobs)?.get('heartbeat') !== undefined)
      expect(await host.say('hello', 'owner')).to.deep.equal(['hello'])
      const before = models.requests.length
      const half = (): Promise<void> => host.clock.advance(30 * 60_000)
      if (asks)
        return until(async () => {
          await half()
          return models.requests.length > before
        })
      for (let passed = 0; passed < HOURS * 2; passed++) await half()
      expect(models.requests).to.have.length(before)
      expect(host.texts).to.deep.equal(['hello'])
    })
  }
})
