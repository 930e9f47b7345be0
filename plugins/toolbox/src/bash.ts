import { Type } from '@mynah/contract/type'
import { messageOf } from '@mynah/kernel'
import { defineTool, isLeft, toolResult, type Tool, type ToolCall, type ToolOutput } from '@mynah/plugin-ai/api'
import { inLanguages, type Chat } from '@mynah/plugin-chat/api'
import {
  askedBy,
  NEEDS_OWNER,
  type Approvals,
  type ExecAnswer,
  type ExecAsk,
  type ExecOrigin,
  type ExecSecurity,
  type ExecResult,
} from '@mynah/plugin-exec-security/api'
import { Spool } from './spool.js'
import type { Results } from './results.js'
import type { Workspace } from './workspace.js'

const DEFAULT_SECONDS = 120
const MAX_SECONDS = 600
/** Shortest time between two progress messages. */
const PROGRESS_MS = 1_000

/** The parts of the host that the tool works with. */
interface BashParts {
  readonly exec: () => ExecSecurity | undefined
  readonly approvals: () => Approvals | undefined
  readonly chat: () => Chat | undefined
  readonly workspace: (call: Pick<ToolCall, 'origin'>) => Workspace
  readonly results: Results
  readonly now: () => number
  readonly roles: readonly string[] | undefined
}

const textsFor = inLanguages({
  en: { ownerAsked: (id: string) => `This needs the owner, who was asked (${id}).` },
  'zh-CN': { ownerAsked: (id: string) => `这需要主人同意，已经询问（${id}）。` },
})

const originOf = ({ origin, subagent }: ToolCall): ExecOrigin => ({
  ...askedBy(origin),
  ...(subagent ? { subagent } : {}),
})

const failed = (text: string): ToolOutput => toolResult(text, { isError: true })

/** Creates the tool that runs commands. A command runs once, even when the host stops in between. */
export function bash(parts: BashParts): Tool {
  const { results } = parts
  return defineTool({
    name: 'bash',
    description:
      'Runs a command in bash in the working folder. Some commands need the owner’s approval, for which it waits. Long output shows its beginning and its end.',
    keywords: ['shell', 'command', 'terminal', 'run', 'execute', '命令', '执行', '运行'],
    // After a restart, a waiting call runs again. A call whose command had started reports that instead.
    effect: 'repeatable',
    timeout: (MAX_SECONDS + 10) * 1_000,
    ...(parts.roles ? { requiredAnyRole: parts.roles } : {}),
    parameters: Type.Object({
      command: Type.String({ minLength: 1, maxLength: 20_000 }),
      timeout: Type.Optional(
        Type.Integer({ minimum: 1, maximum: MAX_SECONDS, description: `Seconds; default ${DEFAULT_SECONDS}` }),
      ),
    }),
    async run({ command, timeout = DEFAULT_SECONDS }, call) {
      const exec = parts.exec()
      if (!exec) return failed('Commands cannot be run: the plugin exec-security is not there.')
      if ((await results.progress(call)).started)
        return failed('The host stopped while this ran; whether it happened is unknown. Look before you run it again.')
      const workspace = parts.workspace(call)
      const context: ExecAsk = {
        origin: originOf(call),
        cwd: await workspace.ready(),
        base: workspace.base,
        asker: { turn: call.turn, call: call.id },
      }
      for (;;) {
        const refused = await ensureAllowed(parts, exec, call, command, context)
        if (refused !== undefined) return refused
        const output = await run(parts, exec, call, command, context, timeout)
        if (output !== undefined) return output
        // The permission was used or has expired in the meantime.
      }
    },
  })
}

/** Gets the owner's approval if needed. Returns the result of a command that may not run. */
async function ensureAllowed(
  parts: BashParts,
  exec: ExecSecurity,
  call: ToolCall,
  command: string,
  context: ExecAsk,
): Promise<ToolOutput | undefined> {
  const { verdict } = exec.evaluate(command, context)
  if (verdict === 'allow') return undefined
  if (verdict === 'deny') return refusal(await exec.request(command, context))
  const approvals = parts.approvals()
  if (!approvals) return failed('The owner cannot be asked: the plugin exec-security is not there.')
  const id = await approvals.idFor({
    kind: 'bash',
    text: command,
    origin: context.origin,
    folder: context.cwd,
    asker: { turn: call.turn, call: call.id },
  })
  // The wait is recorded before the request is made. After a stop, the command is known not to have run.
  const answer = await call.wait('approval', id, async (suspended) => {
    const signal = AbortSignal.any([suspended, call.signal])
    const asked = await exec.request(command, context)
    if (asked.verdict !== 'ask') return asked
    try {
      signal.throwIfAborted()
      if (call.subagent) return asked
      call.progress(textsFor(parts.chat()?.locale).ownerAsked(asked.approvalId))
      void notifyAsker(parts, call, asked.approvalId)
      return await approvals.wait(asked.approvalId, signal)
    } catch (error) {
      // A stopped turn needs no answer. A turn that is resumed after a restart does.
      if (signal.aborted && !isLeft(signal.reason)) await withdraw(parts, call, asked.approvalId)
      throw error
    }
  })
  if (typeof answer === 'string') return answer === 'approved' ? undefined : failed(END_TEXTS[answer])
  if (answer.verdict === 'ask')
    return (
      `${NEEDS_OWNER} ${answer.approvalId}\nThe owner was asked. End here and say what is to be run; ` +
      'you go on when the owner has answered, and then run exactly this command again.'
    )
  return refusal(answer)
}

const END_TEXTS = {
  denied: 'The owner has refused this command.',
  withdrawn: 'The request was withdrawn; the command was not run.',
  expired: 'The owner did not answer in time; the command was not run.',
} as const

const refusal = ({ verdict, decision }: ExecAnswer): ToolOutput | undefined =>
  verdict === 'allow' ? undefined : failed(`The command is refused: ${decision.reason}`)

/** Runs a command. Returns `undefined` when approval is needed after all. */
async function run(
  { results, now }: BashParts,
  exec: ExecSecurity,
  call: ToolCall,
  command: string,
  context: ExecAsk,
  seconds: number,
): Promise<ToolOutput | undefined> {
  const spool = new Spool()
  let lastProgress = -Infinity
  call.signal.throwIfAborted()
  // Record the start, because a started command is never repeated.
  await results.record(call, { started: true })
  const outcome = await exec.run(command, {
    ...context,
    limitMs: seconds * 1_000,
    signal: call.signal,
    maxOutput: 0,
    onOutput(text) {
      spool.add(text)
      const at = now()
      if (at - lastProgress < PROGRESS_MS) return
      lastProgress = at
      call.progress(spool.lastLine())
    },
  })
  if (outcome.verdict === 'allow') return resultOf(spool.text(), outcome.result, seconds)
  await results.record(call, {})
  return outcome.verdict === 'ask' ? undefined : refusal(outcome)
}

function resultOf(output: string, result: ExecResult, seconds: number): ToolOutput {
  const text =
    [output.trimEnd(), ...heldBack(result), endOf(result, seconds)].filter(Boolean).join('\n') || '[no output]'
  return result.exitCode === 0 ? text : failed(text)
}

/** Describes what was held back from a command, and where it was not held at all. */
function heldBack({ level, destinations, requested }: ExecResult): string[] {
  const hosts = destinations.map(({ host, port, allowed, reason }) =>
    allowed ? `${host}:${port} reached` : `${host}:${port} refused: ${reason ?? ''}`,
  )
  return [
    ...(level === 'wall' ? [] : [`[ran at level ${level}]`]),
    ...(hosts.length === 0 ? [] : [`[network: ${hosts.join('; ')}]`]),
    ...(requested.length === 0 ? [] : [`[the owner was asked for these hosts: ${requested.join(', ')}]`]),
  ]
}

/** Describes how a command ended, unless it succeeded. */
function endOf({ exitCode, signal, timedOut }: ExecResult, seconds: number): string {
  if (timedOut) return `[ended after ${seconds} s, as it took longer]`
  if (exitCode === null) return `[ended by ${signal ?? 'a signal'}]`
  return exitCode === 0 ? '' : `[exit code ${exitCode}]`
}

/** Withdraws a request. A failure is only logged, because the request expires anyway. */
async function withdraw({ approvals }: BashParts, call: ToolCall, id: string): Promise<void> {
  try {
    await approvals()?.withdraw(id)
  } catch (error) {
    call.log.warn(`failed to withdraw request ${id}: ${messageOf(error)}`)
  }
}

/** Notifies the chat that the owner was asked, unless it is the owner's private chat. */
async function notifyAsker({ chat }: BashParts, call: ToolCall, id: string): Promise<void> {
  const { adapter, endpoint, channel } = call.origin
  if (adapter === undefined || endpoint === undefined || channel === undefined) return
  if (call.roles.has('master') && channel.type === 'private') return
  try {
    const service = chat()
    await service?.send(adapter, endpoint, channel, textsFor(service.locale).ownerAsked(id), {
      key: `approval/${id}`,
    })
  } catch (error) {
    call.log.warn(`failed to notify the chat about an approval request: ${messageOf(error)}`)
  }
}
