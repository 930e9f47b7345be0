// The configuration: defaults that allow nothing, the platform's command line, mistakes that are named.
import { expect } from 'chai'
import { HostPaths, type LogRecord } from '@mynah/kernel'
import { startHost } from '@mynah/kernel/testing'
import { ExecSecurity } from './api.js'
import execSecurity from './index.js'
import { newHome, start, stopAll } from './test/host.js'

describe('configuration', () => {
  afterEach(stopAll)

  async function withConfig<T>(
    config: Record<string, unknown>,
    use: (exec: ExecSecurity | undefined, errors: string, log: readonly LogRecord[]) => T,
  ): Promise<T> {
    const root = await newHome()
    const { host, log } = await startHost([{ plugin: execSecurity as never, config }], {
      services: [[HostPaths, { root, data: root }]],
    })
    try {
      return use(
        host.get(ExecSecurity),
        log
          .filter(({ level }) => level === 'error')
          .map(({ message }) => message)
          .join('\n'),
        log,
      )
    } finally {
      await host.stop()
    }
  }
  const verdicts = (config: Record<string, unknown>, ...commands: string[]) =>
    withConfig(config, (exec) => commands.map((command) => exec?.evaluate(command).verdict))

  it('denies everything by default', async () => {
    expect(await verdicts({}, 'ls', 'make')).to.deep.equal(['deny', 'deny'])
    expect(await verdicts({ 'ai.agent.execSecurity': 'allowlist' }, 'ls', 'make')).to.deep.equal(['allow', 'deny'])
  })

  it('follows preset, list and modes', async () => {
    expect(
      await verdicts(
        {
          'ai.agent.execSecurity': 'allowlist',
          'ai.agent.execPreset': 'development',
          'ai.agent.execAllowlist': ['make'],
        },
        'git status',
        'make',
        'cargo',
      ),
    ).to.deep.equal(['allow', 'allow', 'deny'])
    const subagent = (config: Record<string, unknown>) =>
      withConfig(
        { 'ai.agent.execSecurity': 'allowlist', 'ai.agent.execApprovalMode': 'ask', ...config },
        (exec) => exec?.evaluate('make', { origin: { subagent: true } }).verdict,
      )
    expect(await subagent({})).to.equal('ask')
    expect(await subagent({ 'ai.agent.subagentExecApprovalMode': 'deny' })).to.equal('deny')
  })

  it('knows sensitive subcommands of the platform’s command line', async () => {
    const config = { 'ai.agent.execSecurity': 'allowlist', 'ai.agent.execPlatformCli': { command: 'imctl' } }
    expect(
      await verdicts(
        config,
        'imctl group list',
        'imctl group kick 1',
        'imctl friend move 1 2',
        'imctl wallet',
        'other list',
      ),
    ).to.deep.equal(['allow', 'ask', 'ask', 'ask', 'deny'])
  })

  it('says that execAsk has no effect', async () => {
    await withConfig({ 'ai.agent.execSecurity': 'allowlist', 'ai.agent.execAsk': true }, (exec, _errors, log) => {
      expect(exec?.evaluate('make').verdict).to.equal('deny')
      expect(
        log.some(({ level, message }) => level === 'warn' && message.includes('use ai.agent.execApprovalMode')),
      ).to.equal(true)
    })
  })

  it('says that execAsk has no effect when it is added at run time', async () => {
    const { configure, log } = await start({ chat: false })
    await configure({ 'ai.agent.execSecurity': 'allowlist', 'ai.agent.execAsk': true })
    expect(
      log.some(({ level, message }) => level === 'warn' && message.includes('use ai.agent.execApprovalMode')),
    ).to.equal(true)
  })

  it('names mistakes by their path and does not start', async () => {
    for (const [key, value] of [
      ['ai.agent.execSecurity', 'open'],
      ['ai.agent.execApprovalMode', true],
      ['ai.agent.execAllowlist', ['two words']],
      ['ai.agent.execPlatformCli', { comand: 'imctl' }],
    ] as const) {
      await withConfig({ [key]: value }, (exec, errors) => {
        expect(exec, key).to.equal(undefined)
        expect(errors).to.contain(key)
      })
    }
  })
})
