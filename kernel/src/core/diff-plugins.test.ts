import { expect } from 'chai'
import { KernelError } from '../base/errors.js'
import { systemClock } from '../base/clock.js'
import { diffPlugins } from './diff-plugins.js'
import { Instance } from './instance.js'
import { definePlugin, type AnyPlugin } from './plugin.js'
import type { PlannedEntry } from './plugin-set.js'

const host = { clock: systemClock, log: () => undefined, keptStore: undefined, stateChanged: () => undefined }

function instanceOf(plugin: AnyPlugin, section: unknown, enabled = true): Instance {
  const instance = new Instance(host, plugin, enabled, 0)
  instance.setSection(section)
  return instance
}

const planned = (plugin: AnyPlugin, section: unknown, enabled = true): PlannedEntry => ({
  plugin,
  enabled,
  checked: { section, mistakes: [] },
})

/** Returns a diff as names. */
function namesOf({ removed, added, changed }: ReturnType<typeof diffPlugins>) {
  return {
    removed: removed.map(({ instance, listed }) => `${instance.name}${listed ? ' (disabled)' : ''}`),
    added: added.map(
      ({ entry, position, instance }) => `${position} ${entry.plugin.name}${instance ? ' (enabled)' : ''}`,
    ),
    changed: changed.map(({ instance }) => instance.name),
  }
}

describe('diffPlugins', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((name) => definePlugin({ name })) as [AnyPlugin, AnyPlugin, AnyPlugin]

  it('finds no difference between equal sections', () => {
    const diff = diffPlugins([instanceOf(a, { n: 1 })], [planned(a, { n: 1 })])
    expect(namesOf(diff)).to.deep.equal({ removed: [], added: [], changed: [] })
  })

  it('finds added, removed and changed plugins', () => {
    const diff = diffPlugins([instanceOf(a, 1), instanceOf(b, 1)], [planned(c, 1), planned(a, 2)])
    expect(namesOf(diff)).to.deep.equal({ removed: ['b'], added: ['0 c'], changed: ['a'] })
  })

  it('removes the last plugins first', () => {
    const diff = diffPlugins([instanceOf(a, 1), instanceOf(b, 1), instanceOf(c, 1)], [planned(b, 1)])
    expect(namesOf(diff).removed).to.deep.equal(['c', 'a'])
  })

  it('replaces a plugin whose definition differs', () => {
    const diff = diffPlugins([instanceOf(a, 1)], [planned(definePlugin({ name: 'a' }), 1)])
    expect(namesOf(diff)).to.deep.equal({ removed: ['a'], added: ['0 a'], changed: [] })
  })

  it('disables and enables listed plugins', () => {
    const diff = diffPlugins([instanceOf(a, 1), instanceOf(b, 1, false)], [planned(a, 1, false), planned(b, 1)])
    expect(namesOf(diff)).to.deep.equal({ removed: ['a (disabled)'], added: ['1 b (enabled)'], changed: ['a'] })
  })

  it('leaves a plugin alone that already fails with the planned section', () => {
    const failing = instanceOf(a, 1)
    failing.setSection(1, new KernelError('config/invalid', 'bad'))
    expect(namesOf(diffPlugins([failing], [planned(a, 1)])).changed).to.deep.equal([])
    expect(namesOf(diffPlugins([failing], [planned(a, 2)])).changed).to.deep.equal(['a'])
  })
})
