#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { evaluateCommand } from './policy/index.js'
import type { ExecDecision, ExecPolicy } from './policy/index.js'

const USAGE = `Usage: mynah-exec-check [options] "<command>"
       mynah-exec-check [options] -            reads the command from standard input

Tells whether the command policy lets a shell command run. Nothing is run.

  --security <deny|allowlist|full>                       default allowlist
  --preset <readonly|network|development|custom>         default custom
  --allow <word>            a listed command word; may be repeated
  --approval <ask|allow|deny>                            default deny
  --platform-cli <word>     the chat-platform CLI
  --sensitive <words>       one of its sensitive subcommands; may be repeated
  --rule <pattern>          an owner rule; may be repeated
  --always                  as if the owner had approved every command
  --json                    prints the decision as JSON
  --help

Exit code: 0 allowed, 1 needs the owner, 2 denied, 64 wrong usage.
`

const EXIT = { allow: 0, ask: 1, deny: 2 } as const
const WRONG_USAGE = 64

class UsageError extends Error {}

function main(args: readonly string[]): number {
  const { values, positionals } = readArguments(args)
  if (values.help === true) {
    process.stdout.write(USAGE)
    return 0
  }
  const [command, ...rest] = positionals
  if (command === undefined) throw new UsageError('no command is given')
  if (rest.length > 0) throw new UsageError('the command must be one argument: put it in quotes')
  const policy: ExecPolicy = {
    execSecurity: choice('security', values.security, ['deny', 'allowlist', 'full'], 'allowlist'),
    execPreset: choice('preset', values.preset, ['readonly', 'network', 'development', 'custom'], 'custom'),
    execAllowlist: values.allow ?? [],
    execApprovalMode: choice('approval', values.approval, ['ask', 'allow', 'deny'], 'deny'),
    platformCli:
      values['platform-cli'] === undefined
        ? undefined
        : { command: values['platform-cli'], sensitive: values.sensitive ?? [] },
  }
  const rules = {
    bashAlways: values.always === true,
    bashRules: (values.rule ?? []).map((pattern, i) => ({ id: `rule-${i + 1}`, pattern })),
  }
  const text = command === '-' ? readFileSync(0, 'utf8') : command
  const decision = evaluateCommand(text, policy, rules)
  process.stdout.write(values.json === true ? `${JSON.stringify(decision, null, 2)}\n` : describe(decision))
  return EXIT[decision.verdict]
}

function readArguments(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        security: { type: 'string' },
        preset: { type: 'string' },
        allow: { type: 'string', multiple: true },
        approval: { type: 'string' },
        'platform-cli': { type: 'string' },
        sensitive: { type: 'string', multiple: true },
        rule: { type: 'string', multiple: true },
        always: { type: 'boolean' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'the arguments are not understood', { cause: error })
  }
}

function choice<T extends string>(option: string, value: string | undefined, allowed: readonly T[], otherwise: T): T {
  if (value === undefined) return otherwise
  const found = allowed.find((item) => item === value)
  if (found === undefined) throw new UsageError(`--${option} is one of ${allowed.join(', ')}, not ${value}`)
  return found
}

function describe(decision: ExecDecision): string {
  const lines = decision.parts.map(
    (part) => `  ${part.verdict.padEnd(5)}  ${part.text}\n         ${part.rule}: ${part.reason}`,
  )
  const suggestion = decision.suggestion === undefined ? [] : [`A rule that would cover it: ${decision.suggestion}`]
  return [`${decision.verdict}: ${decision.reason}`, ...lines, ...suggestion, ''].join('\n')
}

try {
  process.exitCode = main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  process.stderr.write(`mynah-exec-check: ${error.message}\n\n${USAGE}`)
  process.exitCode = WRONG_USAGE
}
