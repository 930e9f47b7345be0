import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { Approvals } from '@mynah/plugin-exec-security/api'
import { eachTest, results, said, until, type Running, type Script } from './test/support.js'

const touch = (name: string) => ({ name: 'bash', input: { command: `touch ${name}.txt` } })
const ask = (question: string, choices?: readonly string[]) => ({
  name: 'ask_user',
  input: { question, ...(choices ? { choices } : {}) },
})

describe('a plain yes with several requests', () => {
  const hosts = eachTest()
  const made = async ({ host }: Running): Promise<string[]> =>
    (await readdir(join(host.root, 'workspace'))).filter((name) => name.endsWith('.txt')).sort()
  const pending = async ({ host }: Running): Promise<number> => (await host.host.get(Approvals)?.pending())?.length ?? 0
  /** Starts a turn of the owner that waits for so many answers. */
  async function waiting(script: Script, count: number): Promise<Running & { readonly answer: Promise<string[]> }> {
    const running = await hosts.start(script)
    const answer = running.host.say('make them', 'owner')
    await until(() => running.host.to('owner').length === count)
    return { ...running, answer }
  }

  it('approves none, and the owner answers each by its number', async () => {
    const running = await waiting([{ calls: [touch('one'), touch('two')] }, 'done'], 2)
    const { host, models, answer } = running
    const [told = ''] = await host.say('yes', 'owner')
    expect(
      told
        .split('\n')
        .slice(1, 3)
        .map((line) => line.slice(0, 3)),
    ).to.deep.equal(['1. ', '2. '])
    expect(await pending(running)).to.equal(2)
    const number = /^(\d)\. touch two\.txt$/m.exec(told)?.[1]
    await host.say(`${number} no`, 'owner')
    expect(await pending(running)).to.equal(1)
    await host.say('yes', 'owner')
    expect((await answer).at(-1)).to.equal('done')
    expect(results(models.requests[1])).to.deep.equal(['[no output]', 'The owner has refused this command.'])
    expect(said(models.requests[1]).filter((line) => line.startsWith('user: '))).to.have.length(1)
    expect(await made(running)).to.deep.equal(['one.txt'])
  })

  it('is no answer to a question that is open together with a command', async () => {
    const running = await waiting([{ calls: [touch('one'), ask('Which colour?', ['red', 'blue'])] }, 'done'], 2)
    const { host, models, answer } = running
    const [told = ''] = await host.say('yes', 'owner')
    expect(told).to.include('touch one.txt').and.include('Which colour? (red / blue)')
    expect(await pending(running)).to.equal(1)
    await host.say('2', 'owner')
    const [again = ''] = await host.say('yes', 'owner')
    expect(again).to.match(/^One request waits[^]*touch one\.txt/)
    await host.say('yes', 'owner')
    await answer
    expect(results(models.requests[1])).to.deep.equal(['[no output]', 'blue'])
  })

  it('is no answer to either of two questions', async () => {
    const { host, models, answer } = await waiting(
      [{ calls: [ask('Shall it be green?'), ask('How many?')] }, 'done'],
      2,
    )
    const [told = ''] = await host.say('好的', 'owner')
    const number = (title: string): string => new RegExp(`^(\\d)\\. ${title}`, 'm').exec(told)?.[1] ?? ''
    await host.say(`${number('How many')} about ten`, 'owner')
    await host.say('yes', 'owner')
    await answer
    expect(results(models.requests[1])).to.deep.equal(['yes', 'about ten'])
  })

  it('answers the quoted request', async () => {
    const running = await waiting([{ calls: [touch('one'), touch('two')] }, 'done'], 2)
    const { host, answer } = running
    const at = host.to('owner').findIndex((text) => text.includes('touch two'))
    await host.say('yes', 'owner', { replyTo: `out${at + 1}` })
    expect(await pending(running)).to.equal(1)
    await host.say('no', 'owner', { replyTo: `out${2 - at}` })
    await answer
    expect(await made(running)).to.deep.equal(['two.txt'])
  })
})
