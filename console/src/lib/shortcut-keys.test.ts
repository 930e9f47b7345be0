import { expect } from 'chai'
import { Keys } from './shortcut-keys.js'

describe('Keys', () => {
  const press = (key: string, more = {}) => ({ key, ctrl: false, meta: false, alt: false, ...more })
  const state = { typing: false, enabled: true, now: 0 }

  it('reads single keys and pairs', () => {
    const keys = new Keys()
    expect(keys.read(press('/'), state)).to.deep.equal({ action: 'filter' })
    expect(keys.read(press('g'), state)).to.equal('prefix')
    expect(keys.read(press('d'), { ...state, now: 500 })).to.deep.equal({ action: 'go:d' })
    expect(keys.read(press('d'), { ...state, now: 600 })).to.equal(undefined)
  })

  it('forgets an old prefix key', () => {
    const keys = new Keys()
    keys.read(press('g'), state)
    expect(keys.read(press('r'), { ...state, now: 5000 })).to.deep.equal({ action: 'refresh' })
  })

  it('ignores typing and disabled shortcuts, except for the palette', () => {
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
