import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { Agent } from '@mynah/plugin-agent/api'
import { Database } from '@mynah/plugin-database/api'
import { Approvals } from '@mynah/plugin-exec-security/api'
import { calling, eachTest, results, until, type Running, type Script } from './test/support.js'

describe('bash', () => {
  const hosts = eachTest()
  const idOf = (text: string | undefined): string =>
    /This needs the owner, who was asked \((\w+)\)/.exec(text ?? '')?.[1] ?? ''

  it('runs allowed commands in the working folder', async () => {
    const { host, models } = await hosts.start(calling('bash', { command: 'pwd' }))
    expect(await host.say('where are you?', 'tess')).to.deep.equal(['done'])
    expect(results(models.requests[1])).to.deep.equal([join(host.root, 'workspace')])
  })

  it('returns a failure with the exit code and the output', async () => {
    const { host, models } = await hosts.start(calling('bash', { command: 'cat nothing-here.txt' }))
    await host.say('go', 'tess')
    expect(results(models.requests[1])[0]).to.match(/No such file.*\n\[exit code 1\]$/s)
  })

  it('requires a role', async () => {
    const { host, models } = await hosts.start(calling('bash', { command: 'pwd' }))
    await host.say('go', 'ann')
    expect(results(models.requests[1])[0]).to.include('needs one of trusted, master')
  })

  it('requires the configured roles', async () => {
    const { host, models } = await hosts.start(calling('bash', { command: 'pwd' }), {
      toolbox: { roles: { bash: ['user'] } },
    })
    await host.say('go', 'ann')
    expect(results(models.requests[1])).to.deep.equal([join(host.root, 'workspace')])
  })

  it('refuses forbidden commands for every role', async () => {
    const { host, models } = await hosts.start(calling('bash', { command: 'pwd' }), {
      exec: { 'ai.agent.execSecurity': 'deny' },
    })
    await host.say('go', 'owner')
    expect(results(models.requests[1])[0]).to.include('The command is refused')
  })

  it('waits for the owner, notifies the chat, and continues with the output', async () => {
    const { host, models } = await hosts.start(calling('bash', { command: 'touch made.txt && echo made' }))
    const answer = host.say('make it', 'tess')
    await until(() => host.to('tess').length === 1 && host.to('owner').length === 1)
    const id = idOf(host.to('tess')[0])
    expect(host.to('owner')[0]).to.include(id)
    expect(host.texts.join()).to.not.include('MYNAH_NEEDS_OWNER')
    await host.say(`/approve ${id}`, 'owner')
    expect((await answer).at(-1)).to.equal('done')
    expect(results(models.requests[1])).to.deep.equal(['made'])
    expect(await readdir(join(host.root, 'workspace'))).to.include('made.txt')
  })

  it('does not run a command that the owner refuses', async () => {
    const { host, models } = await hosts.start(calling('bash', { command: 'touch made.txt' }))
    const answer = host.say('make it', 'tess')
    await until(() => host.to('tess').length === 1)
    await host.say(`/approve deny ${idOf(host.to('tess')[0])}`, 'owner')
    await answer
    expect(results(models.requests[1])).to.deep.equal(['The owner has refused this command.'])
    expect(await readdir(join(host.root, 'workspace'))).to.not.include('made.txt')
  })

  it('does not run a command without an answer of the owner', async () => {
    const { host, models } = await hosts.start(calling('bash', { command: 'touch made.txt' }))
    const answer = host.say('make it', 'tess')
    await until(() => host.to('tess').length === 1)
    await host.clock.advance(31 * 60_000)
    await answer
    expect(results(models.requests[1])[0]).to.include('did not answer in time')
  })

  it('sends only the request to the owner’s own chat', async () => {
    const { host } = await hosts.start(calling('bash', { command: 'touch made.txt' }))
    const answer = host.say('make it', 'owner')
    await until(() => host.to('owner').length === 1)
    const id = /\/approve (\w+)/.exec(host.to('owner')[0] ?? '')?.[1] ?? ''
    await host.say(`/approve ${id}`, 'owner')
    await answer
    expect(host.texts.join()).to.not.include('MYNAH_NEEDS_OWNER').and.not.include('who was asked')
    expect(await readdir(join(host.root, 'workspace'))).to.include('made.txt')
  })

  it('accepts a plain yes in the owner’s own chat', async () => {
    const { host } = await hosts.start(calling('bash', { command: 'touch made.txt' }))
    const answer = host.say('make it', 'owner')
    await until(() => host.to('owner').length === 1 && host.host.get(Agent)?.turns()[0]?.state === 'waiting')
    await host.say('yes', 'owner')
    expect((await answer).at(-1)).to.equal('done')
    expect(await readdir(join(host.root, 'workspace'))).to.include('made.txt')
  })

  it('shows the beginning and the end of long output, and keeps all of it for read_file', async () => {
    const { host, models } = await hosts.start(
      (_request, index) =>
        [
          { calls: [{ name: 'bash', input: { command: 'seq 1 5000' } }] },
          {
            calls: [
              {
                name: 'read_file',
                input: { path: /read_file (\S+) …\]/.exec(results(models.requests[1])[0] ?? '')?.[1] ?? '', limit: 2 },
              },
            ],
          },
          'done',
        ][index] ?? 'nothing',
      { exec: { 'ai.agent.execAllowlist': ['seq'] } },
    )
    await host.say('count', 'tess')
    const [shown = ''] = results(models.requests[1])
    expect(shown.split('\n')).to.have.length.within(1_990, 2_001)
    expect(shown).to.match(/^1\n2\n[\s\S]*\n\[… [^\n]*left out; all of it: read_file \.results\/[^\n]+\n[\s\S]*\n5000$/)
    expect(results(models.requests[2]).at(-1)).to.match(/^1\n2\n\[Lines 1 to 2; go on with offset 3\]$/)
  })

  it('continues after a restart with the owner’s answer, and runs once', async () => {
    const script = calling('bash', { command: 'echo ran >> made.txt && cat made.txt' })
    const first = await hosts.start(script, { database: true })
    await first.host.hear('make it', 'tess')
    await until(() => first.host.to('tess').length === 1 && first.host.to('owner').length === 1)
    const id = idOf(first.host.to('tess')[0])
    const root = await hosts.crash(first)
    const second = await hosts.start(['done after all'], { database: true, root })
    await second.host.say(`/approve ${id}`, 'owner')
    await until(() => second.host.to('tess').includes('done after all'))
    expect(results(second.models.requests[0])).to.deep.equal(['ran'])
    expect(await readFile(join(root, 'workspace', 'made.txt'), 'utf8')).to.equal('ran\n')
  })

  it('reports an unknown outcome when the host stopped during a command', async () => {
    const script = calling('bash', { command: 'echo begun > made.txt && sleep 100' })
    const first = await hosts.start(script, { database: true, exec: { 'ai.agent.execSecurity': 'full' } })
    await first.host.hear('make it', 'tess')
    await until(async () =>
      (await readdir(join(first.host.root, 'workspace')).catch((): string[] => [])).includes('made.txt'),
    )
    const root = await hosts.crash(first)
    const second = await hosts.start(['I looked'], { database: true, root, exec: { 'ai.agent.execSecurity': 'full' } })
    await until(() => second.host.to('tess').includes('I looked'))
    expect(results(second.models.requests[0])[0]).to.include('whether it happened is unknown')
  })

  describe('with two requests that wait, over restarts', () => {
    const script: Script = [
      { calls: ['one', 'two'].map((name) => ({ name: 'bash', input: { command: `touch ${name}.txt` } })) },
      'done',
    ]
    const pending = async ({ host }: Running): Promise<readonly { readonly id: string }[]> =>
      (await host.host.get(Approvals)?.pending()) ?? []
    const query = (running: Running, sql: string): Promise<readonly Record<string, unknown>[]> | undefined =>
      running.host.host.get(Database)?.tx((db) => db.query(sql))
    /** The journal names both requests. */
    const waits = async (running: Running): Promise<boolean> => {
      const [turn] = (await query(running, 'SELECT waiting FROM agent_turn')) ?? []
      return String(turn?.waiting).split('"approval"').length === 3 && (await pending(running)).length === 2
    }

    for (const how of ['crash', 'stop'] as const)
      it(`waits on after each ${how} of the host, and runs each command once with its answer`, async () => {
        let running = await hosts.start(script, { database: true })
        await running.host.hear('make them', 'tess')
        await until(() => waits(running))
        // A request that is not sent before the first stop is sent after it.
        await until(() => running.host.to('owner').length === 2 && running.host.to('tess').length === 2)
        for (let restart = 1; restart <= 5; restart++) {
          const root = await hosts[how](running)
          running = await hosts.start(['done'], { database: true, root })
          await until(() => running.host.log.some(({ message }) => message.includes('1 continue')))
          expect([await waits(running), running.host.texts]).to.deep.equal([true, []])
        }
        for (const { id } of await pending(running)) await running.host.say(`/approve ${id}`, 'owner')
        await until(() => running.host.to('tess').includes('done'))
        expect(results(running.models.requests[0])).to.deep.equal(['[no output]', '[no output]'])
      })

    it('takes them back when the turn is interrupted, and tells the owner', async () => {
      const first = await hosts.start(script, { database: true })
      await first.host.hear('make them', 'tess')
      await until(() => waits(first))
      await until(() => first.host.to('owner').length === 2 && first.host.to('tess').length === 2)
      await query(first, "DELETE FROM message WHERE direction = 'in'")
      const second = await hosts.start(script, { database: true, root: await hosts.crash(first) })
      await until(async () => (await pending(second)).length === 0 && second.host.to('owner').length === 2)
      for (const text of second.host.to('owner')) expect(text).to.match(/^Taken back, .*: touch (one|two)\.txt$/)
      expect(second.models.requests).to.have.length(0)
    })
  })

  it('names the missing plugin on a host without exec-security', async () => {
    const { host, models } = await hosts.start(calling('bash', { command: 'pwd' }), {
      exec: { 'ai.agent.execSecurity': 'no such value' },
    })
    await host.say('go', 'tess')
    expect(results(models.requests[1])[0]).to.include('exec-security is not there')
  })
})
