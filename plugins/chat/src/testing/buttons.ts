import assert from 'node:assert/strict'
import { Card } from '../api.js'
import { lacks } from './lacks.js'
import { aroundEach, required, until } from './contract-host.js'
import type { AdapterContract } from './rig.js'

const card = [
  Card({
    title: 'Tea',
    text: 'With milk?',
    buttons: [
      { text: 'Yes please', command: '/milk 1' },
      { text: 'No', command: '/milk 2' },
    ],
  }),
]

export function buttons(contract: AdapterContract): void {
  describe('buttons', function () {
    this.timeout(60_000)
    const test = aroundEach(() => contract.start())
    const shown = async (part: string): Promise<string> => {
      await test.host.send(card)
      await until(
        () => test.rig.sent().join('\n').includes(part),
        () => `for the card; the user has ${JSON.stringify(test.rig.sent())}`,
      )
      return test.rig.sent().join('\n')
    }

    it('are sent as words to say where the platform has no buttons', async function () {
      if (test.host.can('buttons')) return lacks(this)
      const words = await shown('/milk 2')
      for (const part of ['Yes please', '/milk 1', 'No', '/milk 2']) assert.ok(words.includes(part), words)
    })

    it('arrive as the command of their presser, once for each press', async function () {
      if (!test.host.can('buttons')) return lacks(this)
      const press = required(
        test.rig,
        'press',
        'The adapter has buttons',
        'press: (button) => user.press(last, button)',
      )
      await shown('With milk?')
      await press('Yes please')
      await test.host.hears(['/milk 1'])
      await test.rig.redeliver?.()
      await press('No')
      await test.host.hears(['/milk 1', '/milk 2'])
    })
  })
}
