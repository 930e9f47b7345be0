// Events of the stream, the ring of the last hour, keys, searching, formats.
import { expect } from 'chai'
import { invalidates } from '../src/lib/invalidation.js'
import { ago, bytes, duration } from '../src/lib/format.js'
import { Keys } from '../src/lib/shortcut-keys.js'
import { parseHosts, rememberHost } from '../src/lib/hosts.js'
import { parseHistory, recordMinute, minuteSlots } from '../src/lib/activity-history.js'
import { search } from '../src/lib/search.js'

describe('coupling to the stream', () => {
  it('reloads the figures and lists on data-update, and the configuration on config:updated', () => {
    for (const key of ['GET /stats', 'GET /plugins', 'GET /plugins/chat', 'GET /endpoints', 'GET /system/status'])
      expect(invalidates('data-update', key), key).to.equal(true)
    expect(invalidates('data-update', 'GET /logs')).to.equal(false)
    expect(invalidates('config:updated', 'schema:get chat')).to.equal(true)
    expect(invalidates('of a plugin', 'GET /stats')).to.equal(false)
  })
})

describe('the ring of the last hour', () => {
  const minute = 60_000
  it('counts into the minute of now and forgets what is older than an hour', () => {
    let ring = recordMinute([], 0, (item) => ({ ...item, events: item.events + 1 }))
    ring = recordMinute(ring, 30_000, (item) => ({ ...item, events: item.events + 1 }))
    ring = recordMinute(ring, minute, (item) => ({ ...item, memory: 5 }))
    expect(ring).to.deep.equal([
      { minute: 0, events: 2 },
      { minute: 1, events: 0, memory: 5 },
    ])
    expect(recordMinute(ring, 60 * minute, (item) => item).map((item) => item.minute)).to.deep.equal([1, 60])
  })

  it('gives sixty slots with gaps', () => {
    const all = minuteSlots([{ minute: 100, events: 3 }], 101 * minute)
    expect(all).to.have.length(60)
    expect(all.at(-2)).to.deep.equal({ minute: 100, events: 3 })
    expect(all.at(-1)).to.equal(undefined)
  })

  it('survives whatever stands in storage', () => {
    for (const text of [null, '', '{', '{}', '[1,null,"x",{"minute":"1"}]'])
      expect(parseHistory(text), String(text)).to.deep.equal([])
    expect(parseHistory('[{"minute":1,"events":2}]')).to.deep.equal([{ minute: 1, events: 2 }])
  })
})

describe('keys', () => {
  const press = (key: string, more = {}) => ({ key, ctrl: false, meta: false, alt: false, ...more })
  const state = { typing: false, enabled: true, now: 0 }

  it('read single keys and pairs', () => {
    const keys = new Keys()
    expect(keys.read(press('/'), state)).to.deep.equal({ action: 'filter' })
    expect(keys.read(press('g'), state)).to.equal('prefix')
    expect(keys.read(press('d'), { ...state, now: 500 })).to.deep.equal({ action: 'go:d' })
    expect(keys.read(press('d'), { ...state, now: 600 })).to.equal(undefined)
  })

  it('forget a pair that was begun long ago', () => {
    const keys = new Keys()
    keys.read(press('g'), state)
    expect(keys.read(press('r'), { ...state, now: 5000 })).to.deep.equal({ action: 'refresh' })
  })

  it('leave typing and switched-off shortcuts alone, the palette excepted', () => {
    const keys = new Keys()
    expect(keys.read(press('r'), { ...state, typing: true })).to.equal(undefined)
    expect(keys.read(press('r'), { ...state, enabled: false })).to.equal(undefined)
    expect(keys.read(press('r', { ctrl: true }), state)).to.equal(undefined)
    expect(keys.read(press('k', { ctrl: true }), { ...state, typing: true, enabled: false })).to.deep.equal({
      action: 'palette',
    })
    expect(keys.read(press('K', { meta: true }), state)).to.deep.equal({ action: 'palette' })
  })
})

describe('searching', () => {
  it('wants all words and puts beginnings first', () => {
    const items = ['Open plugins', 'Plugins', 'Dashboard', 'Sign out']
    expect(search(items, 'plu', (item) => item)).to.deep.equal(['Plugins', 'Open plugins'])
    expect(search(items, 'out sign', (item) => item)).to.deep.equal(['Sign out'])
    expect(search(items, '', (item) => item)).to.deep.equal(items)
    expect(search(items, 'zzz', (item) => item)).to.deep.equal([])
  })
})

describe('formats', () => {
  it('write durations, sizes and ages', () => {
    expect(duration(533_520, 'en')).to.equal('6d 04:12')
    expect(duration(533_520, 'zh-CN')).to.equal('6 天 04:12')
    expect(duration(61.9, 'en')).to.equal('00:01:01')
    expect(bytes(999)).to.equal('999 B')
    expect(bytes(61_000_000)).to.equal('58.2 MB')
    expect(bytes(1000)).to.equal('0.977 KB')
    const day = 86_400_000
    const spoken = (time: number, locale: string): string => ago(time, 10 * day, locale)
    expect(
      [0, -12_000, -7_200_000, -day, -3 * day, 240_000, day, 5 * day].map((distance) =>
        spoken(10 * day + distance, 'en'),
      ),
    ).to.deep.equal(['now', '12 s ago', '2 h ago', 'yesterday', '3 days ago', 'in 4 min', 'tomorrow', 'in 5 days'])
    expect([0, -12_000, -day, -3 * day, 240_000].map((distance) => spoken(10 * day + distance, 'zh-CN'))).to.deep.equal(
      ['刚刚', '12 秒前', '昨天', '3 天前', '4 分钟后'],
    )
  })
})

describe('known hosts', () => {
  it('keep the label when a host is used again, newest first, ten at most', () => {
    const hosts = rememberHost(rememberHost([], { base: 'http://a', label: 'A' }), { base: 'http://b' })
    expect(rememberHost(hosts, { base: 'http://a' })).to.deep.equal([
      { base: 'http://a', label: 'A' },
      { base: 'http://b' },
    ])
    let many = hosts
    for (let index = 0; index < 20; index += 1) many = rememberHost(many, { base: `http://h${index}` })
    expect(many).to.have.length(10)
  })

  it('take nothing from storage but bases, labels and colours', () => {
    expect(parseHosts('[{"base":"http://a","token":"t","colour":"red","label":7},{"label":"x"},3]')).to.deep.equal([
      { base: 'http://a' },
    ])
    expect(parseHosts('not json')).to.deep.equal([])
  })
})
