// The program mynah-exec-check: exit codes, output and wrong usage.
import { expect } from 'chai'
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const CLI = fileURLToPath(new URL('./cli.js', import.meta.url))

function check(args: readonly string[], input = ''): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [CLI, ...args], { encoding: 'utf8', input })
}

describe('mynah-exec-check', () => {
  it('exits 0 for an allowed command and lists its parts', () => {
    const { status, stdout } = check(['ls | wc -l'])
    expect(status).to.equal(0)
    expect(stdout)
      .to.match(/^allow: /)
      .and.to.contain('ls')
      .and.to.contain('wc -l')
  })

  it('exits 1 for a command that needs the owner and suggests a rule', () => {
    const { status, stdout } = check(['--approval', 'ask', 'ls && make all'])
    expect(status).to.equal(1)
    expect(stdout).to.contain('A rule that would cover it: make all')
  })

  it('exits 2 for a denied command', () => {
    expect(check(['--security', 'full', 'sudo ls'])).to.include({ status: 2 })
    expect(check(['--security', 'deny', 'ls']).status).to.equal(2)
  })

  it('takes presets, lists, rules and the platform CLI', () => {
    expect(check(['--preset', 'network', 'curl https://example.org']).status).to.equal(0)
    expect(check(['--allow', 'make', '--allow', 'tsc', 'make && tsc']).status).to.equal(0)
    expect(check(['--rule', 'make (all|test)', 'make test']).status).to.equal(0)
    expect(check(['--approval', 'ask', '--always', 'make']).status).to.equal(0)
    expect(check(['--platform-cli', 'imctl', '--sensitive', 'group kick', 'imctl group kick 5']).status).to.equal(1)
  })

  it('prints JSON and reads standard input', () => {
    const { status, stdout } = check(['--json', '-'], 'cat <<E\n$(rm x)\nE\n')
    expect(status).to.equal(2)
    const decision = JSON.parse(stdout) as { verdict: string; parts: { text: string; verdict: string }[] }
    expect(decision.verdict).to.equal('deny')
    expect(decision.parts.map((part) => [part.text, part.verdict])).to.deep.equal([
      ['rm x', 'deny'],
      ["cat << $'$(rm x)\\n'", 'allow'],
    ])
  })

  it('explains wrong usage with exit code 64', () => {
    for (const args of [[], ['ls', '-la'], ['--preset', 'all', 'ls'], ['ls', 'pwd'], ['--unknown', 'x', 'ls']]) {
      const { status, stdout, stderr } = check(args)
      expect(status, args.join(' ')).to.equal(64)
      expect(stderr).to.contain('Usage: ')
      expect(stdout).to.equal('')
    }
    expect(check(['--help'])).to.include({ status: 0, stderr: '' })
  })
})
