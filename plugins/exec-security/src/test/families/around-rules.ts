// Attacks on the owner rule `make test`: the covered command is redirected, fed or changed by what is around it.
import type { ExecPolicy } from '../../policy/index.js'
import { attacks, combine, type Family } from './family.js'

const LISTED: Partial<ExecPolicy> = {
  execPreset: 'readonly',
  execAllowlist: ['bash', 'sh', 'cd', 'export', 'pushd', 'tee', 'true'],
  execApprovalMode: 'ask',
}

const around: Family = {
  name: 'owner rules forget what is around',
  attacks: attacks(LISTED, [
    ...combine(
      [
        '{ make test; } R',
        '(make test) R',
        '{ { make test; }; } R',
        '{ (make test); } R',
        'if make test; then true; fi R',
        'if true; then make test; fi R',
        'while make test; do break; done R',
        'until make test; do break; done R',
        'for i in a; do make test; done R',
        'for ((i = 0; i < 1; i++)); do make test; done R',
        'case a in a) make test;; esac R',
        'true && { make test; } R',
        '! { make test; } R',
        "bash -c 'make test' R",
        "bash -c '{ make test; }' R",
        "timeout 5 bash -c 'make test' R",
        "{ bash -c 'make test'; } R",
        "sh -c 'make test' R",
        'find src -maxdepth 0 -exec make test \\; R',
        'find src -maxdepth 0 -exec timeout 5 make test \\; R',
        '{ find src -maxdepth 0 -exec make test \\; ; } R',
      ],
      ['> VICTIM', '>> VICTIM', '&> VICTIM', '>| VICTIM', '> "VIC"TIM', '< evil', '<<< "$(cat evil)"', '3>&1 >VICTIM'],
      (command, redirect) => command.replace('R', () => redirect),
    ),
    ...combine(
      ['cat evil |', 'cat < evil |', 'cat evil |&', 'cat evil | cat |'],
      [
        'make test',
        'timeout 5 make test',
        '{ make test; }',
        '(make test)',
        "bash -c 'make test'",
        'if make test; then true; fi',
      ],
      (feeder, command) => `${feeder} ${command}`,
    ),
    ...[
      'cd /tmp/evil; make test',
      'cd /tmp/evil && make test',
      '(cd /tmp/evil; make test)',
      '{ cd /tmp/evil; }; make test',
      'if cd /tmp/evil; then make test; fi',
      'pushd /tmp/evil; make test',
      'command cd /tmp/evil; make test',
      '\\cd /tmp/evil; make test',
      'd=/tmp/evil; cd $d; make test',
      "bash -c 'cd /tmp/evil; make test'",
      "cd /tmp/evil; bash -c 'make test'",
      'for i in 1 2; do make test; cd /tmp/evil; done',
      'find .evil -name Makefile -execdir make test \\;',
      "find .evil -name Makefile -execdir bash -c 'make test' \\;",
      'FOO=evil; export FOO; make test',
      'export FOO=evil; make test',
      "FOO=evil bash -c 'make test'",
      'FOO=evil find src -maxdepth 0 -exec make test \\;',
      'cat evil > >(make test)',
      'cat evil | tee >(make test)',
    ],
  ]),
}

export const RULE_FAMILIES: readonly Family[] = [around]
