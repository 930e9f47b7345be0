import { expect } from 'chai'
import { change, fromText, isDirty, parseDraft, rebase, sectionValue, takeTheirs, type Draft } from './draft.js'
import { parse } from './yaml-tools.js'

const yaml =
  '# the host\nhttp:\n  port: 8086 # the usual one\n  token: ${HTTP_TOKEN}\n\n# where it rains\nweather:\n  city: Oslo\n'

const config = { http: { port: 8086, token: '${HTTP_TOKEN}' }, weather: { city: 'Oslo' } }

const fresh = (): Draft => ({ base: { config, yaml }, sections: {}, theirs: [] })

const keys = ['http', 'weather']

describe('a configuration draft', () => {
  it('holds changes of a form, and is clean after undoing them', () => {
    const changed = change(fresh(), 'http', ['port'], 9000)
    expect(isDirty(changed)).to.equal(true)
    expect(sectionValue(changed, 'http')).to.deep.equal({ port: 9000, token: '${HTTP_TOKEN}' })
    expect(isDirty(change(changed, 'http', ['port'], 8086))).to.equal(false)
    expect(config.http.port).to.equal(8086)
  })

  it('is shared by form and text, and an unchanged text is clean', () => {
    const text = yaml.replace('8086', '9000')
    const typed = fromText(fresh(), text, parse(text), keys)
    expect(sectionValue(typed, 'http')).to.deep.include({ port: 9000 })
    expect(isDirty(typed)).to.equal(true)
    expect(isDirty(fromText(typed, yaml, parse(yaml), keys))).to.equal(false)
  })

  it('keeps a text that cannot be parsed', () => {
    const broken = fromText(change(fresh(), 'weather', ['city'], 'Bergen'), 'http: [', parse('http: ['), keys)
    expect(broken.text).to.equal('http: [')
    expect(sectionValue(broken, 'weather')).to.deep.equal({ city: 'Bergen' })
  })

  it('is rebased onto a newer version, and names sections changed on both sides', () => {
    const mine = change(change(fresh(), 'http', ['port'], 9000), 'weather', ['city'], 'Bergen')
    const theirs = rebase(mine, { config: { ...config, http: { ...config.http, port: 7000 } }, yaml })
    expect(theirs.theirs).to.deep.equal(['http'])
    expect(sectionValue(theirs, 'http')).to.deep.include({ port: 9000 })
    expect(sectionValue(theirs, 'weather')).to.deep.equal({ city: 'Bergen' })
    expect(sectionValue(takeTheirs(theirs, 'http'), 'http')).to.deep.include({ port: 7000 })
    expect(
      isDirty(
        rebase(change(fresh(), 'http', ['port'], 9000), {
          config: { ...config, http: { ...config.http, port: 9000 } },
          yaml,
        }),
      ),
    ).to.equal(false)
  })

  it('is read again as it was kept, and anything else is none', () => {
    const mine = change(fresh(), 'http', ['port'], 9000)
    expect(parseDraft(JSON.stringify(mine))).to.deep.equal(mine)
    for (const text of [null, '', '{', '[]', '{"base":{"config":1},"sections":{},"theirs":[]}', '{"sections":{}}'])
      expect(parseDraft(text), String(text)).to.equal(undefined)
  })
})
