// The tool `bash`: asks the policy, waits for the owner where it must, and runs a command once, whatever stops in between.
import { Type } from '@mynah/contract/type'
import { messageOf } from '@mynah/kernel'
import { defineTool, isLeft, toolResult, type Tool, type ToolCall, type ToolOutput } from '@mynah/plugin-ai/api'
import { inLanguages, type Chat } from '@mynah/plugin-chat/api'
import {
  NEEDS_OWNER,
  type Approvals,
  type ExecAnswer,
  type ExecAsk,
  type ExecOrigin,
  type ExecSecurity,
  type RunResult,
} from '@mynah/plugin-exec-security/api'
import { Spool } from './spool.js'
import type { Results } from './results.js'
import type { Workspace } from './workspace.js'

const SECONDS = 120
const MOST_SECONDS = 600
const PROGRESS_MS = 1_000

interface Deps {
  readonly exec: () => ExecSecurity | undefined
  readonly approvals: () => Approvals | undefined
  readonly chat: () => Chat | undefined
  readonly workspace: () => Workspace
  readonly results: Results
  readonly now: () => number
  readonly roles: readonly string[] | undefined
}

const textsFor = inLanguages({
  en: { ownerAsked: 'This needs the owner, who was asked.' },
  'zh-CN': { ownerAsked: '这需要主人同意，已经询问。' },
})

const originOf = ({ origin: { adapter, endpoint, channel, user }, subagent }: ToolCall): ExecOrigin => ({
  adapter,
  endpointId: endpoint,
  channel,
  userId: user,
  ...(subagent ? { subagent: true } : {}),
})

const failed = (text: string): ToolOutput => toolResult(text, { isError: true })

export function bash(deps: Deps): Tool {
  const { results } = deps
  return defineTool({
    name: 'bash',
    description:
      'Runs a command in bash in the working folder. Some commands need the owner’s approval, for which it waits. Long output is cut to its end.',
    keywords: ['shell', 'command', 'terminal', 'run', 'execute', '命令', '执行', '运行'],
    // A call that waited runs again; one that had started its command says so instead.
    effect: 'repeatable',
    timeout: (MOST_SECONDS + 10) * 1_000,
    ...(deps.roles ? { requiredAnyRole: deps.roles } : {}),
    parameters: Type.Object({
      command: Type.String({ minLength: 1, maxLength: 20_000 }),
      timeout: Type.Optional(
        Type.Integer({ minimum: 1, maximum: MOST_SECONDS, description: `Seconds; default ${SECONDS}` }),
      ),
    }),
    async run({ command, timeout = SECONDS }, call) {
      const exec = deps.exec()
      if (!exec) return failed('Commands cannot be run: the plugin exec-security is not there.')
      if ((await results.begun(call)).started)
        return failed('The host stopped while this ran; whether it happened is unknown. Look before you run it again.')
      const context: ExecAsk = {
        origin: originOf(call),
        cwd: await deps.workspace().ready(),
        asker: { turn: call.turn, call: call.id },
      }
      for (;;) {
        const instead = await covered(deps, exec, call, command, context)
        if (instead !== undefined) return instead
        const output = await run(deps, exec, call, command, context, timeout)
        if (output !== undefined) return output
        // What had covered it was used or has expired since.
      }
    },
  })
}

/** Asks who has to be asked; gives what to say where the command does not run. */
async function covered(
  deps: Deps,
  exec: ExecSecurity,
  call: ToolCall,
  command: string,
  context: ExecAsk,
): Promise<ToolOutput | undefined> {
  const { verdict } = exec.evaluate(command, context)
  if (verdict === 'allow') return undefined
  if (verdict === 'deny') return refusal(await exec.request(command, context))
  const approvals = deps.approvals()
  if (!approvals) return failed('The owner cannot be asked: the plugin exec-security is not there.')
  const id = await approvals.idFor({
    kind: 'bash',
    text: command,
    origin: context.origin,
    asker: { turn: call.turn, call: call.id },
  })
  // It waits before it asks: whatever stops in between, the journal says for what it waits, and nothing has run.
  const answer = await call.wait('approval', id, async (stops) => {
    const signal = AbortSignal.any([stops, call.signal])
    const asked = await exec.request(command, context)
    if (asked.verdict !== 'ask') return asked
    try {
      signal.throwIfAborted()
      if (call.subagent) return asked
      call.progress(`${NEEDS_OWNER} ${asked.approvalId}`)
      void tell(deps, call, asked.approvalId)
      return await approvals.wait(asked.approvalId, signal)
    } catch (error) {
      // A turn that was stopped needs no answer any more; one that goes on after a start still does.
      if (signal.aborted && !isLeft(signal.reason)) await withdraw(deps, call, asked.approvalId)
      throw error
    }
  })
  if (typeof answer === 'string') return answer === 'approved' ? undefined : failed(ENDS[answer])
  if (answer.verdict === 'ask')
    return `${NEEDS_OWNER} ${answer.approvalId}\nThe owner was asked. End here and say what is to be run; you go on when the owner has answered, and then run exactly this command again.`
  return refusal(answer)
}

const ENDS = {
  denied: 'The owner has refused this command.',
  withdrawn: 'The request was withdrawn; the command was not run.',
  expired: 'The owner did not answer in time; the command was not run.',
} as const

const refusal = ({ verdict, decision }: ExecAnswer): ToolOutput | undefined =>
  verdict === 'allow' ? undefined : failed(`The command is refused: ${decision.reason}`)

/** Runs a command; gives nothing where the owner is needed after all. */
async function run(
  { results, now }: Deps,
  exec: ExecSecurity,
  call: ToolCall,
  command: string,
  context: ExecAsk,
  seconds: number,
): Promise<ToolOutput | undefined> {
  const spool = new Spool()
  let told = -Infinity
  call.signal.throwIfAborted()
  // Only what may start is marked.
  await results.begin(call, { started: true })
  const outcome = await exec.run(command, {
    ...context,
    limitMs: seconds * 1_000,
    signal: call.signal,
    maxOutput: 0,
    onOutput(text) {
      spool.add(text)
      const at = now()
      if (at - told < PROGRESS_MS) return
      told = at
      call.progress(spool.lastLine())
    },
  })
  if (outcome.verdict === 'allow')
    return resultOf(await results.fit(spool.text(), call, 'tail'), outcome.result, seconds)
  await results.begin(call, {})
  return outcome.verdict === 'ask' ? undefined : refusal(outcome)
}

function resultOf(output: string, { exitCode, signal, timedOut }: RunResult, seconds: number): ToolOutput {
  const end = timedOut
    ? `[ended after ${seconds} s, as it took longer]`
    : exitCode === null
      ? `[ended by ${signal ?? 'a signal'}]`
      : exitCode === 0
        ? ''
        : `[exit code ${exitCode}]`
  const text = [output.trimEnd(), end].filter(Boolean).join('\n') || '[no output]'
  return exitCode === 0 ? text : failed(text)
}

/** Takes a request back. Where that fails it expires by itself: why the call ends is what counts. */
async function withdraw({ approvals }: Deps, call: ToolCall, id: string): Promise<void> {
  try {
    await approvals()?.withdraw(id)
  } catch (error) {
    call.log.warn(`the request ${id} could not be withdrawn: ${messageOf(error)}`)
  }
}

/** Whoever asked and is not the owner learns why nothing happens; the owner has the request already. */
async function tell({ chat }: Deps, call: ToolCall, id: string): Promise<void> {
  const { adapter, endpoint, channel } = call.origin
  if (adapter === undefined || endpoint === undefined || channel === undefined) return
  if (call.roles.has('master') && channel.type === 'private') return
  try {
    const talks = chat()
    await talks?.send(adapter, endpoint, channel, `${NEEDS_OWNER} ${id}\n${textsFor(talks.locale).ownerAsked}`, {
      key: `approval/${id}`,
    })
  } catch (error) {
    call.log.warn(`it could not be told that the owner was asked: ${messageOf(error)}`)
  }
}
