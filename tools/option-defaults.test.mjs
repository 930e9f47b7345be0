// Compares the defaults of the plugins with those of the release before.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { CHANGED_DEFAULTS } from '../plugins/mynah/dist/cli/upgrade/changed-defaults.js'
import { root } from './lib.mjs'
import { changedOptions, defaultsIn, isNamed, optionDefaults } from './option-defaults.mjs'

const RELEASES = join(root, 'test', 'releases')
const [LAST] = readdirSync(RELEASES).sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
/** New options whose default is what the release before did, with the reason. */
const AS_BEFORE = {
  'ai.agent.execTrust': 'only listed commands ran unasked',
  allowedUpdates: 'the bot handles and answers the same; edits in channels and reactions are stored too',
  quitMessage: 'the text was always Goodbye',
  'database.connections': 'ten connections could be opened',
  'marketplace.scripts': 'no script of a package ran unasked',
}

const readme = (...rows) =>
  ['<!-- options:begin -->', '| option | type | default | description |', ...rows, '<!-- options:end -->'].join('\n')

describe('the defaults of options', () => {
  const now = optionDefaults()
  const before = JSON.parse(readFileSync(join(RELEASES, LAST, 'options.json'), 'utf8'))

  it(`are those of ${LAST}, or have an entry that existing hosts show at their next start`, () => {
    const unnamed = changedOptions(before, now)
      .filter(({ option }) => AS_BEFORE[option] === undefined)
      .filter(({ option }) => !CHANGED_DEFAULTS.some((change) => isNamed(option, change)))
    const remedy =
      'name each in AS_BEFORE of tools/option-defaults.test.mjs if it is as before, ' +
      'else write an entry in plugins/mynah/src/cli/upgrade/changed-defaults.ts'
    expect(unnamed, remedy).to.deep.equal([])
  })

  it('that are changed belong to options that exist', () => {
    const all = Object.values(now).flatMap((options) => Object.keys(options))
    for (const change of CHANGED_DEFAULTS)
      for (const named of change.options)
        expect(
          all.filter((option) => isNamed(option, { options: [named] })),
          named,
        ).not.to.deep.equal([])
    expect(Object.keys(AS_BEFORE).filter((option) => !all.includes(option))).to.deep.equal([])
  })

  it('are read from the tables of READMEs', () => {
    expect(now.cron['cron.runTimeout']).to.equal('`3600`')
    const rows = ['| `a.mode` | `on` \\| `off` | `on` | A mode |', '| `a.<name>.size` | integer | | A size |']
    expect(defaultsIn(readme(...rows))).to.deep.equal({ 'a.mode': '`on`', 'a.<name>.size': '' })
    expect(defaultsIn('no table')).to.deep.equal({})
  })

  it('that are changed, gone or new and not empty are found', () => {
    const old = { chat: { 'a.kept': '`1`', 'a.other': '`1`', 'a.gone': '', 'a.wide.one': '' } }
    const next = {
      chat: { 'a.kept': '`1`', 'a.other': '`2`', 'a.wide': '', 'a.new': '`3`', 'a.off': '`false`' },
      newcomer: { 'b.new': '`3`' },
    }
    expect(changedOptions(old, next).map(({ option }) => option)).to.deep.equal(['a.gone', 'a.other', 'a.new'])
    expect(isNamed('a.b.c', { options: ['a.b'] })).to.equal(true)
    expect(isNamed('a.<name>.roles', { options: ['a.*.roles'] })).to.equal(true)
    expect(isNamed('a.bc', { options: ['a.b'] })).to.equal(false)
  })
})
