// Owner rules, the permanent approval, the platform CLI and what the decision says.
import { expect } from 'chai'
import { evaluateCommand, ruleProblem } from './index.js'
import type { ExecPolicy, OwnerRules } from './index.js'
import { asking, full, permissive, policy, readonly } from '../test/policies.js'

const rules = (...patterns: string[]): OwnerRules => ({
  bashAlways: false,
  bashRules: patterns.map((pattern, i) => ({ id: `id-${i}`, pattern })),
})
const verdict = (command: string, base: ExecPolicy, owner?: OwnerRules): string =>
  evaluateCommand(command, base, owner).verdict

describe('evaluateCommand: owner rules', () => {
  describe('a rule', () => {
    it('covers one whole subcommand', () => {
      expect(verdict('make all', readonly, rules('make all'))).to.equal('allow')
      expect(verdict('ls && make all | head', readonly, rules('make all'))).to.equal('allow')
      expect(verdict('timeout 5 make all', readonly, rules('make all'))).to.equal('allow')
      expect(verdict('make "all"', readonly, rules('make all'))).to.equal('allow')
      expect(verdict("git commit -m 'a b'", readonly, rules("git commit -m '.*'"))).to.equal('allow')
    })

    it('does not match a part of a subcommand', () => {
      expect(verdict('make all install', readonly, rules('make all'))).to.equal('deny')
      expect(verdict('remake all', readonly, rules('make all'))).to.equal('deny')
      expect(verdict('./make all', readonly, rules('make .*'))).to.equal('deny')
    })

    it('never matches across separators', () => {
      for (const command of [
        'make all; rm -rf x',
        'make all && rm -rf x',
        'make all | rm x',
        'make all & rm x',
        'make all\nrm x',
        'make $(rm x)',
        'make `rm x`',
        'make <(rm x)',
      ]) {
        expect(verdict(command, readonly, rules('make.*')), command).to.equal('deny')
      }
      expect(verdict("make 'a\nb'", readonly, rules("make [a-z' ]*"))).to.equal('deny')
    })

    it('is matched with dangerous prefixes and written files', () => {
      expect(verdict('LD_PRELOAD=x make all', readonly, rules('make all'))).to.equal('deny')
      expect(verdict('make all > out', readonly, rules('make all'))).to.equal('deny')
      expect(verdict('make all > out', readonly, rules('make all > out'))).to.equal('allow')
      expect(verdict('V=1 make all', readonly, rules('make all'))).to.equal('deny')
      expect(verdict('V=1 make all', readonly, rules('V=\\d make all'))).to.equal('allow')
      expect(verdict('LC_ALL=C timeout 5 make all', readonly, rules('make all'))).to.equal('allow')
    })

    it('covers redirections, input and changes of the shell only where it names them', () => {
      for (const [pattern, command] of [
        ['make all', 'make all > out'],
        ['make all', '{ make all; } > out'],
        ['make all', 'cat in | make all'],
        ['make .*', 'make all > out'],
        ['make .*', 'make all < in'],
        ['make .*', 'cat in | make all'],
        ['make .*', 'cd in; make all'],
        ['.*', 'make > out'],
        ['make [^;]*', 'make all > out'],
        ['make\\s.*', 'make > out'],
        ['make\\D*', 'make all > out'],
        ['make \\P{Lu}*', 'make all > out'],
        ['make [\\s\\S]*', 'make all > out'],
        ['make [[:^digit:]]*', 'make all > out'],
        ['make [\\x00-\\x7f]*', 'make all > out'],
        ['make [\\t-z]*', 'make all > out'],
        ['(?s)make .*', 'make all > out'],
        ['make .* > out', 'make all < in > out'],
        ["git commit -m '.*'", "git commit -m 'a b' > 'c d'"],
        ['> out', '{ make all; } > out'],
        ['.*', '> out'],
        ['.*', '[[ a ]] > out'],
        ['make all < …', 'cat in | make all'],
      ] as const)
        expect(
          verdict(command, policy({ execPreset: 'readonly', execAllowlist: ['cd'] }), rules(pattern)),
          `${pattern}: ${command}`,
        ).to.equal('deny')
      for (const [pattern, command] of [
        ['make all > out', '{ make all; } > out'],
        ['make all >out', 'make all >out'],
        ['> out', '> out'],
        ['> out', '{ [[ a ]]; } > out'],
        ['make .* > \\w+', 'make all > out'],
        ['make .*( > \\w+)?', 'make all > out'],
        ['make .*( > \\w+)?', 'make all'],
        ['make all( [0-9]?> \\w+)*', 'make all > out 2> err'],
        ['make all \\d> err', 'make all 2> err'],
        ['make all [<>] f', 'make all < f'],
        ['make all\\s*&>\\s*out', 'make all &> out'],
        ['make all \\{fd\\}> out', 'make all {fd}> out'],
        ['make all < <\\(cat .*\\)', 'cat in | make all'],
        ['make all # in cd \\w+; make all', 'cd in; make all'],
        ['\\Qmake all > a+b\\E', 'make all > a+b'],
        ['(?i)^MAKE ALL > OUT$', 'make all > out'],
        ["echo 'a > b' > .*", "echo 'a > b' > out"],
        ["echo 'a > b'", "echo 'a > b'"],
        ['make [^]-]+', 'make all'],
        ['make [^-]\\w+', 'make all'],
        ['make [[:^space:]]+', 'make all'],
      ] as const)
        expect(
          verdict(command, policy({ execPreset: 'readonly', execAllowlist: ['cd'] }), rules(pattern)),
          `${pattern}: ${command}`,
        ).to.equal('allow')
    })

    it('holds alike for sub-agents and at every level, and is not asked in full', () => {
      for (const execApprovalMode of ['ask', 'deny'] as const)
        for (const over of [
          { level: 'wall', trust: 'listed' },
          { level: 'files' },
          { level: 'none', unwalled: 'text' },
        ] as const) {
          const base = policy({ execPreset: 'readonly', execApprovalMode, ...over })
          expect(verdict('make all', base, rules('make all'))).to.equal('allow')
          expect(verdict('{ make all; } > out', base, rules('make all'))).to.equal(execApprovalMode)
        }
      expect(verdict('{ make all; } > out', full, rules('make all'))).to.equal('allow')
    })

    it('yields to the blacklist, to deny, and to syntax that is not understood', () => {
      expect(verdict('sudo ls', readonly, rules('.*'))).to.equal('deny')
      expect(verdict('make; sudo ls', readonly, rules('.*'))).to.equal('deny')
      expect(verdict('$x ls', readonly, rules('.*'))).to.equal('deny')
      expect(verdict('make "', readonly, rules('.*'))).to.equal('deny')
      expect(verdict('make', policy({ execSecurity: 'deny' }), rules('.*'))).to.equal('deny')
    })

    it('runs in linear time', () => {
      expect(verdict(`x ${'a'.repeat(5000)}!`, readonly, rules('x (a+)+', '(x|x)*(a|a|aa)+'))).to.equal('deny')
    })

    it('is ignored with a reason when it does not compile', () => {
      expect(verdict('make', readonly, rules('(', 'ma(?=ke)', '', 'make'))).to.equal('allow')
      expect(ruleProblem('(')).to.be.a('string')
      expect(ruleProblem('')).to.be.a('string')
      expect(ruleProblem('a'.repeat(2000))).to.be.a('string')
      expect(ruleProblem('make .*')).to.equal(undefined)
    })
  })

  describe('the permanent approval', () => {
    const always: OwnerRules = { bashAlways: true, bashRules: [] }
    it('answers questions with yes', () => {
      expect(verdict('make all', asking(readonly), always)).to.equal('allow')
      expect(verdict('cat .env', asking(readonly), always)).to.equal('allow')
    })
    it('does not allow denied commands', () => {
      expect(verdict('make all', readonly, always)).to.equal('deny')
      expect(verdict('sudo ls', asking(readonly), always)).to.equal('deny')
      expect(verdict('$x', asking(readonly), always)).to.equal('deny')
      expect(verdict('ls', policy({ execSecurity: 'deny', execApprovalMode: 'ask' }), always)).to.equal('deny')
      expect(verdict('curl x | bash', asking(readonly), always)).not.to.equal('allow')
    })
  })

  describe('the platform CLI', () => {
    const platformCli = {
      command: 'imctl',
      sensitive: ['group kick', 'group mute', 'friend delete', 'recall', 'wallet', 'file rm'],
    }
    const bases = (['ask', 'allow', 'deny'] as const).map((execApprovalMode) =>
      policy({ platformCli, execApprovalMode }),
    )

    it('passes without a list if the subcommand is not sensitive', () => {
      for (const base of bases) {
        for (const command of [
          'imctl group list',
          'imctl send "please kick him"',
          'imctl friend list | head',
          'timeout 5 imctl status',
          'imctl send hello "$text"',
          'imctl',
        ]) {
          expect(verdict(command, base), command).to.equal('allow')
        }
      }
    })
    it('asks in every approval mode if the subcommand is sensitive', () => {
      for (const base of bases) {
        for (const command of [
          'imctl group kick 1 2',
          'imctl --account 5 group kick 1',
          'imctl group -v kick 1',
          'imctl "group" k\'ick\' 1',
          'imctl GROUP Kick 1',
          'ls && imctl recall 5',
          'env X=1 imctl wallet',
          'imctl file g1 rm x',
          'imctl $cmd',
          'imctl $(date +%s) 5',
          'imctl $a $b',
          'xargs imctl',
          'for s in kick mute; do imctl group "$s" 1; done',
        ]) {
          expect(verdict(command, base), command).to.equal('ask')
        }
      }
    })
    it('passes when a rule or the permanent approval covers it', () => {
      expect(verdict('imctl group kick 5', bases[2] as ExecPolicy, rules('imctl group kick \\d+'))).to.equal('allow')
      expect(verdict('imctl group kick 5', bases[0] as ExecPolicy, { bashAlways: true, bashRules: [] })).to.equal(
        'allow',
      )
    })
    it('is recognized by its exact word', () => {
      for (const command of ['./imctl group list', '/usr/bin/imctl status', 'imctl2 x'])
        expect(verdict(command, bases[2] as ExecPolicy)).to.equal('deny')
      expect(verdict('imctl group kick 5; sudo ls', bases[0] as ExecPolicy)).to.equal('deny')
      expect(verdict('imctl group kick 5', { ...full, platformCli })).to.equal('allow')
    })
  })

  describe('the decision', () => {
    it('names the part that is not covered and the rule that would cover it', () => {
      const decision = evaluateCommand('ls && make -C a.b all', asking(readonly))
      expect(decision.reason).to.contain('make -C a.b all')
      expect(decision.suggestion).to.equal('make -C a\\.b all')
      expect(verdict('ls && make -C a.b all', asking(readonly), rules(decision.suggestion ?? ''))).to.equal('allow')
      expect(decision.parts.map((part) => part.verdict)).to.deep.equal(['allow', 'ask'])
    })
    it('suggests rules that work for odd texts', () => {
      for (const command of [
        'make "a  b"',
        "make 'it'\\''s'",
        'make $x',
        'make "a\nb"',
        'date > "a b"',
        'X=1',
        'LD_PRELOAD=a ls',
        'make *.c',
        'f() { ls; }',
        'cat .env',
        "make '+{}()[]|^$.?*'",
        'make "\t"',
        'cat < .env',
        'make ~/x',
        'find . -name "*.o" -delete',
      ]) {
        const decision = evaluateCommand(command, asking(readonly))
        expect(decision.verdict, command).to.equal('ask')
        expect(
          verdict(command, asking(readonly), rules(decision.suggestion ?? '')),
          `${command} by ${decision.suggestion ?? ''}`,
        ).to.equal('allow')
      }
    })
    it('lets the strictest part win', () => {
      expect(evaluateCommand('make; sudo ls', asking(readonly)))
        .to.include({ verdict: 'deny' })
        .and.not.to.have.property('suggestion')
      expect(evaluateCommand('$x; sudo ls', permissive(readonly)).reason).to.contain('sudo is forbidden')
      expect(evaluateCommand('ls; make', asking(readonly)).verdict).to.equal('ask')
    })
    it('treats an unknown mode as deny', () => {
      expect(evaluateCommand('ls', { ...readonly, execSecurity: 'other' as 'deny' }).verdict).to.equal('deny')
    })
  })
})
